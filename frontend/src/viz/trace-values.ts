/** The values of a traced kernel's scalars at any step. */
import type { TraceView } from '../api/types';

export type Scalar = number | boolean | string;
type Values = ReadonlyMap<string, Scalar>;

const SNAPSHOT_EVERY = 128;

/**
 * What each scalar (index variables, positions, sums) holds after step `index`, in the order in which they are
 * declared. A new iteration of a loop forgets what its body and what comes after it declared before.
 */
export function scalarsOf(trace: TraceView): (index: number) => Values {
  const declaredAt = new Map<string, number>();
  for (const { changed, statement } of trace.steps)
    for (const name of Object.keys(changed))
      declaredAt.set(name, Math.min(declaredAt.get(name) ?? Infinity, statement));
  const apply = (values: Map<string, Scalar>, index: number): void => {
    const step = trace.steps[index];
    if (step === undefined) return;
    if (step.kind === 'iteration')
      for (const name of [...values.keys()]) if ((declaredAt.get(name) ?? 0) > step.statement) values.delete(name);
    for (const [name, value] of Object.entries(step.changed)) values.set(name, value);
  };
  const snapshots: Map<string, Scalar>[] = [new Map()];
  return (index) => {
    const wanted = Math.floor(Math.min(index + 1, trace.steps.length) / SNAPSHOT_EVERY);
    while (snapshots.length <= wanted) {
      const next = new Map(snapshots.at(-1));
      const start = (snapshots.length - 1) * SNAPSHOT_EVERY;
      for (let at = start; at < start + SNAPSHOT_EVERY; at += 1) apply(next, at);
      snapshots.push(next);
    }
    const values = new Map(snapshots[wanted]);
    for (let at = wanted * SNAPSHOT_EVERY; at <= index; at += 1) apply(values, at);
    return new Map([...values].sort(([one], [other]) => (declaredAt.get(one) ?? 0) - (declaredAt.get(other) ?? 0)));
  };
}
