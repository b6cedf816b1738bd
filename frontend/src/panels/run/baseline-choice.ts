/** The baselines of a plan, when one of those that the service offers is chosen or left out. */
import type { BaselineView } from '../../api/types';

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
