/** What the panels of the iteration space ask of a compile. */
import type { CompileView, TraceView } from '../../api/types';

/** The tensor that the kernel writes. */
export function resultOf(result: CompileView): string {
  return result.tensors.find((tensor) => tensor.result)?.name ?? '';
}

/** The loop variables whose iterations are lanes of work here; blocks, warps and lanes of a GPU join by their unit. */
export function threadVariables(result: CompileView): ReadonlySet<string> {
  return new Set(result.variables.filter(({ unit }) => unit === 'CPUThread').map(({ name }) => name));
}

/** A position of the result's values as a person writes it: `y(2)`. */
export function positionName(trace: TraceView, tensor: string, position: number): string {
  const at = trace.tensors.find((one) => one.tensor === tensor)?.coordinates[position];
  return at === undefined || at.length === 0 ? tensor : `${tensor}(${at.join(', ')})`;
}
