import { useMemo } from 'react';
import type { CompileView } from '../../api/types';
import { scalarsOf } from '../../viz/trace-values';
import { usePlayback } from '../../state/use-playback';
import { provenanceNumbers } from '../../viz/provenance/numbers';
import type { NodeNumbers } from '../../viz/provenance/numbers';

export type ProvenanceNumbers = ReadonlyMap<string, NodeNumbers>;

/** The numbers of the current step of the traced run; null while there is no run of this very plan. */
export function useNumbers(result: CompileView, active: boolean): ProvenanceNumbers | null {
  const trace = usePlayback((state) => (active ? state.trace : null));
  const planHash = usePlayback((state) => state.planHash);
  const index = usePlayback((state) => (active ? state.index : 0));
  const scalars = useMemo(() => (trace === null ? null : scalarsOf(trace)), [trace]);
  return useMemo(
    () =>
      trace === null || scalars === null || planHash !== result.hash || trace.steps.length === 0
        ? null
        : provenanceNumbers(result, trace, scalars(index), index),
    [result, trace, planHash, scalars, index],
  );
}
