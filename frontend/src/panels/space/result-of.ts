/** What the panels of the iteration space ask of a compile. */
import type { CompileView, TraceView } from '../../api/types';

/** The tensor that the kernel writes. */
export function resultOf(result: CompileView): string {
  return result.tensors.find((tensor) => tensor.result)?.name ?? '';
}

/** The loop variables, as a trace names workers, whose iterations are the workers on one of `units`. */
export function workerVariables(result: CompileView, units: readonly string[]): ReadonlySet<string> {
  const loops = [...result.variables, ...result.launches.flatMap((launch) => launch.loops)];
  return new Set(loops.filter(({ unit }) => unit !== null && units.includes(unit)).map(({ name }) => name));
}

/** A position of the result's values as a person writes it: `y(2)`. */
export function positionName(trace: TraceView, tensor: string, position: number): string {
  const at = trace.tensors.find((one) => one.tensor === tensor)?.coordinates[position];
  return at === undefined || at.length === 0 ? tensor : `${tensor}(${at.join(', ')})`;
}
