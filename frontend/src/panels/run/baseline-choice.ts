/** The baselines of a plan: what a run compares with, and what is chosen once one of them is ticked or not. */
import type { BaselineView, TensorView, WorkerView } from '../../api/types';
import { DEFAULT_BASELINES, sameTexts } from '../../plan/plan';
import { TARGETS } from '../../plan/targets';
import type { Target } from '../../plan/targets';

/** NumPy takes the place of SciPy, whose dense products are NumPy's (compiler/heddle/measuring/baselines/choose.py). */
const OF_DENSE: readonly string[] = ['numpy', 'mkl'];

/** Whether the service chooses for dense operands: nothing else was chosen, and all operands are stored dense. Those of
 *  a program of patterns have types instead of levels. */
export function choosesForDense(chosen: readonly string[], tensors: readonly TensorView[]): boolean {
  const operands = tensors.filter(({ result }) => !result);
  const dense = operands.every(
    ({ order, levels }) => levels.length === order && levels.every(({ kind }) => kind === 'dense'),
  );
  return sameTexts(chosen, DEFAULT_BASELINES) && operands.length > 0 && dense;
}

/** What a run compares with: what is chosen, or the service's own choice for GPUs and for dense operands. */
export function comparedWith(
  chosen: readonly string[],
  tensors: readonly TensorView[],
  target: Target,
): readonly string[] {
  // As in baselines_for, compiler/heddle/measuring/baselines/choose.py: nothing that runs on the processor.
  if (TARGETS[target].mapped && sameTexts(chosen, DEFAULT_BASELINES)) return target === 'cuda' ? ['cusparse'] : [];
  return choosesForDense(chosen, tensors) ? OF_DENSE : chosen;
}

/** Why a baseline cannot take part, in a few words; null where it can. `workers` are those that are connected. */
export function lackOfBaseline(
  { resource, missing }: Pick<BaselineView, 'resource' | 'missing'>,
  workers: readonly Pick<WorkerView, 'targets' | 'obstacle'>[] | null,
): string | null {
  const usable = (workers ?? []).filter(({ obstacle }) => obstacle === null);
  if (usable.length === 0) return null;
  if (resource === 'gpu' && !usable.some(({ targets }) => targets.includes('cuda'))) return 'no GPU';
  // Of other machines only a run says it.
  return usable.length === 1 ? missing : null;
}

/**
 * In the order in which they are offered, so that equal choices are equal plans; what only others offer stays, last.
 * `usual` is what the service chooses where nobody did.
 */
export function withBaseline(
  chosen: readonly string[],
  name: string,
  on: boolean,
  offered: readonly Pick<BaselineView, 'name'>[],
  usual: readonly string[] = DEFAULT_BASELINES,
): string[] {
  const order = offered.map((baseline) => baseline.name);
  const wanted = new Set(on ? [...chosen, name] : chosen.filter((other) => other !== name));
  const names = [
    ...order.filter((known) => wanted.has(known)),
    ...[...wanted].filter((other) => !order.includes(other)),
  ];
  // In their usual order the usual ones mean that nobody chose: here somebody did.
  return sameTexts(names, DEFAULT_BASELINES) && !sameTexts(usual, names) ? names.reverse() : names;
}
