import { useEffect, useState } from 'react';
import { getOccupancy, isAbort, toProblem } from '../../api/client';
import type { CompileView, OccupancyView } from '../../api/types';

export type OccupancyAnswer =
  | { readonly state: 'asked' }
  | { readonly state: 'known'; readonly view: OccupancyView }
  | { readonly state: 'failed'; readonly reason: string };

const ASKED: OccupancyAnswer = { state: 'asked' };

/** Registers and occupancy of the plan's kernels; asked for once for each plan that is shown. */
export function useOccupancy(result: CompileView): OccupancyAnswer {
  const [known, setKnown] = useState<{ readonly hash: string; readonly answer: OccupancyAnswer } | null>(null);
  useEffect(() => {
    const controller = new AbortController();
    const keep = (answer: OccupancyAnswer): void => setKnown({ hash: result.hash, answer });
    getOccupancy(result.plan, controller.signal).then(
      (view) => keep({ state: 'known', view }),
      (error: unknown) => {
        if (!isAbort(error)) keep({ state: 'failed', reason: toProblem(error).title });
      },
    );
    return () => controller.abort();
  }, [result]);
  return known?.hash === result.hash ? known.answer : ASKED;
}
