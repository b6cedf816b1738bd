/** What the run of a plan measured that an account must not contradict. */
import type { FixView, RunResult } from '../../api/types';

export interface RunFacts {
  /** Who is slower, this plan or itself without a schedule, in words; null where the run cannot tell. */
  readonly statement: string | null;
  /** The plan takes longer than without its schedule. */
  readonly slower: boolean;
  /** Why, as far as the numbers of the run are certain. */
  readonly diagnosis: { readonly text: string; readonly fix: FixView | null } | null;
  readonly gigabytes: number | null;
  /** Of what STREAM reaches. */
  readonly bandwidth: number | null;
}

/** Below this share of STREAM a run does not wait for the bandwidth of memory; above the other its data lie in a cache. */
const [WAITS, IN_CACHE] = [0.3, 1.1];

export function runFacts(result: RunResult): RunFacts {
  const ours = result.entries.find(({ id }) => id === 'heddle');
  const unscheduled = result.entries.find(({ id }) => id === 'unscheduled');
  const ratio = unscheduled?.ratio_to_heddle ?? null;
  return {
    statement: ratio === null || ratio.verdict === 'inconclusive' ? null : ratio.statement,
    slower: ratio?.verdict === 'slower',
    diagnosis: result.diagnosis ?? null,
    gigabytes: ours?.gigabytes_per_second ?? null,
    bandwidth: ours?.bandwidth_share ?? null,
  };
}

/**
 * What a typical core waits for, as the operations per byte let expect. A run of the plan may refute it: it was far from
 * the bandwidth of memory, or beyond it, so that it read a cache.
 */
export function waitsFor(
  bound: 'memory' | 'compute',
  facts: RunFacts | null,
): 'memory' | 'compute' | 'far below' | 'cache' {
  if (bound === 'compute' || facts === null || facts.bandwidth === null) return bound;
  if (facts.bandwidth > IN_CACHE) return 'cache';
  return facts.bandwidth < WAITS ? 'far below' : 'memory';
}
