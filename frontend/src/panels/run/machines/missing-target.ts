import type { WorkerView } from '../../../api/types';
import { TARGETS } from '../../../plan/targets';
import type { Target } from '../../../plan/targets';

export interface Lack {
  /** What no machine has, as a sentence begins. */
  readonly reason: string;
  /** The targets that execute the same schedule without it. */
  readonly instead: readonly Target[];
}

/** Why no connected machine can run `target`, with those of the alternatives that one can; null when one can. */
export function lackOf(target: Target, workers: readonly WorkerView[]): Lack | null {
  const { lack, instead } = TARGETS[target];
  const usable = workers.filter(({ obstacle }) => obstacle === null);
  // Before any worker is known, one is expected.
  if (lack === null || usable.length === 0) return null;
  const offered = new Set(usable.flatMap(({ targets }) => targets));
  return offered.has(target) ? null : { reason: lack, instead: instead.filter((other) => offered.has(other)) };
}
