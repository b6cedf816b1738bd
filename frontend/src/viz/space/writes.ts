/** Writes and atomics of the result, by row and by worker (docs/sources.toml V16), counted in the trace. */
import type { TraceView } from '../../api/types';
import type { Lane } from './workers';

export interface WriteCount {
  readonly stores: number;
  /** Those of `stores` that are atomic. */
  readonly atomics: number;
}

export interface WriteMap {
  /** Coordinates in the result's first dimension; one row for a scalar. */
  readonly rows: readonly number[];
  readonly lanes: readonly Lane[];
  /** By row, then by lane. */
  readonly counts: readonly (readonly WriteCount[])[];
  readonly most: number;
  readonly stores: number;
  readonly atomics: number;
}

/** The first writes of zeros (fills) are not counted: they belong to no worker. */
export function writesOf(trace: TraceView, result: string, lanes: readonly Lane[]): WriteMap {
  const view = trace.tensors.find(({ tensor }) => tensor === result);
  const size = view?.shape[0] ?? 1;
  const counts = Array.from({ length: size }, () => lanes.map(() => ({ stores: 0, atomics: 0 })));
  const outside = lanes.findIndex((lane) => Object.keys(lane.worker).length === 0);
  const laneOf = (worker: Readonly<Record<string, number>>): number => {
    const own = lanes.findIndex((lane) => {
      const entries = Object.entries(lane.worker);
      return entries.length > 0 && entries.every(([name, value]) => worker[name] === value);
    });
    return own === -1 ? outside : own;
  };
  let [stores, atomics] = [0, 0];
  for (const { store, worker } of trace.steps) {
    if (store?.array !== `${result}_vals`) continue;
    const row = view?.coordinates[store.index]?.[0] ?? 0;
    const count = counts[row]?.[laneOf(worker)];
    stores += 1;
    atomics += store.atomic ? 1 : 0;
    if (count === undefined) continue;
    count.stores += 1;
    count.atomics += store.atomic ? 1 : 0;
  }
  const most = Math.max(0, ...counts.flat().map((count) => count.stores));
  return { rows: counts.map((_, row) => row), lanes, counts, most, stores, atomics };
}
