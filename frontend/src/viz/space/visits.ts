/** The order of visiting: each point at which the kernel computes, and which loop took it there. */
import type { TraceView } from '../../api/types';
import { scalarsOf } from '../trace-values';

export interface Visit {
  /** Index into the trace's steps. */
  readonly step: number;
  /** The expression's index variables. */
  readonly at: Readonly<Record<string, number>>;
  readonly worker: Readonly<Record<string, number>>;
  /** Depth (0 outermost) of the outermost loop that moved on since the visit before; null for the first visit. */
  readonly loop: number | null;
}

/** `loops` are the loop variables of the final nest, outermost first. */
export function visitsOf(trace: TraceView, loops: readonly string[]): Visit[] {
  const scalars = scalarsOf(trace);
  const found: Visit[] = [];
  let before: ReadonlyMap<string, unknown> | null = null;
  trace.steps.forEach(({ visit, worker }, step) => {
    if (visit === null) return;
    const now = scalars(step);
    const moved = before === null ? -1 : loops.findIndex((name) => now.get(name) !== before?.get(name));
    // A searched or tracked variable has no scalar: then the innermost loop moved.
    found.push({
      step,
      at: visit,
      worker,
      loop: before === null ? null : moved === -1 ? Math.max(loops.length - 1, 0) : moved,
    });
    before = now;
  });
  return found;
}

/** How many of `visits` have happened at step `index`. */
export function visitedBy(visits: readonly Visit[], index: number): number {
  let [low, high] = [0, visits.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((visits[middle]?.step ?? Infinity) <= index) low = middle + 1;
    else high = middle;
  }
  return low;
}
