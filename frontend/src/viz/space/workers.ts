/** Who does what: the work of each iteration of the parallel loops (docs/sources.toml V15), counted in the trace. */
import type { TraceView } from '../../api/types';

export interface Lane {
  /** The parallel loop variables' values, as the trace spells them; empty outside of parallel loops. */
  readonly worker: Readonly<Record<string, number>>;
  readonly title: string;
  /** Steps of its visits, in order. */
  readonly visits: readonly number[];
  /** Positions of the result that it stored to. */
  readonly writes: ReadonlySet<number>;
}

export interface Share {
  readonly lanes: readonly Lane[];
  readonly total: number;
  readonly max: number;
  readonly mean: number;
  /** 1 − mean / max: the share of the lanes' time in which they wait for the longest one. */
  readonly idle: number;
  /** Positions of the result that two lanes or more store to, with those lanes' indices. */
  readonly shared: ReadonlyMap<number, readonly number[]>;
}

const title = (worker: Readonly<Record<string, number>>): string =>
  Object.entries(worker)
    .map(([name, value]) => `${name} = ${value}`)
    .join(', ') || 'no parallel loop';

/**
 * One lane for each iteration of the parallel loops whose unit is in `variables` (all of them by default: blocks,
 * warps and lanes of a GPU are further entries of a step's worker). An iteration that computes nothing has a lane too.
 */
export function lanesOf(trace: TraceView, resultArray: string, variables?: ReadonlySet<string>): Lane[] {
  const lanes = new Map<string, { worker: Record<string, number>; visits: number[]; writes: Set<number> }>();
  const lane = (worker: Readonly<Record<string, number>>) => {
    const kept = Object.fromEntries(Object.entries(worker).filter(([name]) => variables?.has(name) ?? true));
    const key = title(kept);
    const found = lanes.get(key) ?? { worker: kept, visits: [], writes: new Set<number>() };
    lanes.set(key, found);
    return found;
  };
  trace.steps.forEach((step, index) => {
    const own = lane(step.worker);
    if (step.visit !== null) own.visits.push(index);
    if (step.store?.array === resultArray) own.writes.add(step.store.index);
  });
  const all = [...lanes.entries()].map(([name, found]) => ({ title: name, ...found }));
  // What runs before, between and after the parallel loops is no worker's, unless the work is done there.
  const parallel = all.filter(({ worker, visits }) => Object.keys(worker).length > 0 || visits.length > 0);
  return parallel.length > 0 ? parallel : all;
}

/**
 * The same lanes on `threads` threads: a model, since OpenMP decides while it runs. Each iteration in turn goes to the
 * thread that has the least work so far.
 */
export function onThreads(lanes: readonly Lane[], threads: number): Lane[] {
  const made = Array.from({ length: threads }, (_, number) => ({
    worker: { thread: number },
    title: `thread ${number}`,
    visits: [] as number[],
    writes: new Set<number>(),
  }));
  for (const { visits, writes } of lanes) {
    const least = made.reduce((best, thread) => (thread.visits.length < best.visits.length ? thread : best));
    least.visits.push(...visits);
    writes.forEach((position) => least.writes.add(position));
  }
  return made;
}

export function shareOf(lanes: readonly Lane[]): Share {
  const total = lanes.reduce((sum, { visits }) => sum + visits.length, 0);
  const max = Math.max(0, ...lanes.map(({ visits }) => visits.length));
  const mean = lanes.length > 0 ? total / lanes.length : 0;
  const writers = new Map<number, number[]>();
  lanes.forEach(({ writes }, number) =>
    writes.forEach((position) => writers.set(position, [...(writers.get(position) ?? []), number])),
  );
  const shared = new Map([...writers].filter(([, who]) => who.length > 1).sort(([one], [other]) => one - other));
  return { lanes, total, max, mean, idle: max > 0 ? 1 - mean / max : 0, shared };
}
