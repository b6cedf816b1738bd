import { useMemo } from 'react';
import type { TraceView } from '../../api/types';
import { usePlayback } from '../../state/use-playback';
import type { Grid } from '../../viz/space/grid';
import { visitedBy, visitsOf } from '../../viz/space/visits';

interface Props {
  readonly trace: TraceView;
  readonly grid: Grid | null;
}

/** Where the run is, in words. It stays in view whatever the picture below is scrolled to. */
export function StepLine({ trace, grid }: Props) {
  const index = usePlayback((state) => state.index);
  const visits = useMemo(() => visitsOf(trace, []), [trace]);
  const done = visitedBy(visits, index);
  const point = trace.steps[index]?.visit ?? null;
  const place = Object.entries(point ?? {}).map(([name, at]) => `${name} = ${at}`);
  return (
    <p className="space-summary" role="status" data-visited={done}>
      {done} of {visits.length} points visited{place.length > 0 ? `, now at ${place.join(', ')}` : ''}.
      {grid !== null && ` ${grid.tensor} has ${grid.nonzeros} nonzeros.`}
    </p>
  );
}
