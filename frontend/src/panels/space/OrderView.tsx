import { useMemo } from 'react';
import type { CompileView, TraceView } from '../../api/types';
import { scalarsOf } from '../../viz/trace-values';
import { usePlayback } from '../../state/use-playback';
import { linkId, useLinked } from '../../state/links';
import { MAX_SLICES } from '../../viz/space/grid';
import type { Grid } from '../../viz/space/grid';
import type { Frame } from '../../viz/space/frame';
import { visitedBy, visitsOf } from '../../viz/space/visits';
import { GridPicture } from './GridPicture';
import { Trail } from './Trail';
import { VisitTable } from './VisitTable';
import { counted } from '../../text/quantities';

interface Props {
  readonly result: CompileView;
  readonly trace: TraceView;
  readonly grid: Grid;
}

/** The order in which the kernel visits the points, one arrow colour for each loop (docs/sources.toml V4). */
export function OrderView({ result, trace, grid }: Props) {
  const index = usePlayback((state) => state.index);
  const loops = useMemo(() => result.graph?.nodes.map(({ variable }) => variable) ?? [], [result]);
  const visits = useMemo(() => visitsOf(trace, loops), [trace, loops]);
  const scalars = useMemo(() => scalarsOf(trace), [trace]);
  const done = visitedBy(visits, index);
  const now = useMemo(() => scalars(index), [scalars, index]);
  const point = trace.steps[index]?.visit ?? null;
  const known = Object.fromEntries(
    grid.variables.flatMap((variable) => {
      const value = point?.[variable] ?? now.get(variable);
      return typeof value === 'number' ? [[variable, value] as const] : [];
    }),
  );
  return (
    <>
      <ul className="space-legend" aria-label="Loops, outermost first">
        {loops.map((loop, depth) => (
          <LoopKey key={loop} loop={loop} depth={depth} value={now.get(loop)} />
        ))}
      </ul>
      <div className="space-slices">
        {grid.slices.slice(0, MAX_SLICES).map((slice, number) => (
          <GridPicture
            key={number}
            grid={grid}
            slice={slice}
            label={`${grid.tensor}: ${done} of ${counted(visits.length, 'point')} visited`}
            under={(frame) => <Bands frame={frame} grid={grid} slice={number} known={known} />}
            over={(frame) => (
              <Trail frame={frame} grid={grid} slice={number} visits={visits} done={done} here={point !== null} />
            )}
          />
        ))}
      </div>
      {grid.slices.length > MAX_SLICES && (
        <p className="muted">{grid.slices.length - MAX_SLICES} more slices are not drawn; the table has all points.</p>
      )}
      <VisitTable visits={visits} loops={loops} done={done} />
    </>
  );
}

function LoopKey({ loop, depth, value }: { readonly loop: string; readonly depth: number; readonly value: unknown }) {
  const { props } = useLinked(linkId.variable(loop));
  return (
    <li>
      <span {...props} className={`space-loop path-${(depth % 6) + 1}`} role="button" tabIndex={0}>
        <svg width="26" height="10" aria-hidden="true">
          <path className="space-arrow" d="M1 5H24" />
        </svg>
        <i>{loop}</i>
        <span className="space-loop-value">{value === undefined ? '' : ` = ${String(value)}`}</span>
      </span>
    </li>
  );
}

interface BandsProps {
  readonly frame: Frame;
  readonly grid: Grid;
  readonly slice: number;
  readonly known: Readonly<Record<string, number>>;
}

/** The row and the column whose coordinates are known now: a row that computes nothing is seen to be passed. */
function Bands({ frame, grid, slice, known }: BandsProps) {
  const outer = grid.variables.slice(0, -2).map((variable) => known[variable]);
  if (outer.some((at, dimension) => at !== undefined && at !== grid.slices[slice]?.at[dimension])) return null;
  const row = grid.rowVariable === null ? undefined : known[grid.rowVariable];
  const column = known[grid.columnVariable];
  const { left, top, cell } = frame;
  return (
    <g className="space-band" aria-hidden="true">
      {row !== undefined && <rect x={left} y={top + row * cell} width={grid.columns * cell} height={cell} />}
      {column !== undefined && <rect x={left + column * cell} y={top} width={cell} height={grid.rows * cell} />}
    </g>
  );
}
