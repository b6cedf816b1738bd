/** The baselines of a plan: what a run compares with, and what is chosen once one of them is ticked or not. */
import type { BaselineView, TensorView } from '../../api/types';
import { DEFAULT_BASELINES, sameTexts } from '../../plan/plan';

/** NumPy takes the place of SciPy, whose dense products are NumPy's (backend/heddle_server/worker/libraries.py). */
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

/** What a run compares with: what is chosen, or the service's own choice for dense operands. */
export function comparedWith(chosen: readonly string[], tensors: readonly TensorView[]): readonly string[] {
  return choosesForDense(chosen, tensors) ? OF_DENSE : chosen;
}

/** In the order in which they are offered, so that equal choices are equal plans; what only others offer stays, last. */
export function withBaseline(
  chosen: readonly string[],
  name: string,
  on: boolean,
  offered: readonly BaselineView[],
): string[] {
  const order = offered.map((baseline) => baseline.name);
  const wanted = new Set(on ? [...chosen, name] : chosen.filter((other) => other !== name));
  return [...order.filter((known) => wanted.has(known)), ...[...wanted].filter((other) => !order.includes(other))];
}
