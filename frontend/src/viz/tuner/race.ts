/** Two searches of one plan, beside each other by how many schedules each has timed. */
import { formatSeconds } from '../../text/quantities';
import type { Search } from './search-log';

/** The fastest after each schedule that was timed, in seconds; null before the first that could be. */
export function bestByEvaluation(search: Search): readonly (number | null)[] {
  let best: number | null = null;
  return search.times.map((seconds) => {
    if (seconds !== null && (best === null || seconds < best)) best = seconds;
    return best;
  });
}

/** How far each of the two is at equal numbers of schedules, in a sentence. Times of a search are for ranking: which of
 * the two found the faster schedule is for a comparison in turns to say. */
export function standing(one: Search, other: Search): string {
  const count = Math.min(one.times.length, other.times.length);
  const [first, second] = [one, other].map((search) => bestByEvaluation(search)[count - 1] ?? null);
  if (count === 0 || first === undefined || second === undefined || first === null || second === null) {
    return 'Nothing to compare yet.';
  }
  return `After ${count} schedules each, the fastest of ${one.strategy} took ${formatSeconds(first)} and that of ${other.strategy} ${formatSeconds(second)}, in searches that did not take turns.`;
}

export interface RaceLine {
  readonly strategy: string;
  readonly points: string;
}

/** A falling line for each search: schedules timed from left to right, times upwards, logarithmically. */
export function raceLines(searches: readonly Search[], width: number, height: number): readonly RaceLine[] {
  const best = searches.map(bestByEvaluation);
  const times = best.flat().filter((seconds) => seconds !== null);
  if (times.length === 0) return [];
  const [low, high] = [Math.log(Math.min(...times)), Math.log(Math.max(...times))];
  const most = Math.max(2, ...best.map(({ length }) => length));
  const y = (seconds: number): number => 6 + ((high - Math.log(seconds)) / Math.max(high - low, 1e-9)) * (height - 12);
  return searches.map(({ strategy }, which) => ({
    strategy,
    points: (best[which] ?? [])
      .flatMap((seconds, place) => (seconds === null ? [] : [`${(place / (most - 1)) * width},${y(seconds)}`]))
      .join(' '),
  }));
}

export interface Weight {
  readonly name: string;
  /** From 0 to 1: how much of the differences of times the values of the gene alone tell. */
  readonly share: number;
}

/** Of the spread of the logarithms of all times, the share that lies between the values of each gene. */
export function weights(search: Search): readonly Weight[] {
  const timed = search.candidates.flatMap(({ genes, seconds }) =>
    seconds === null ? [] : [{ genes, time: Math.log(seconds) }],
  );
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  const all = mean(timed.map(({ time }) => time));
  const spread = timed.reduce((sum, { time }) => sum + (time - all) ** 2, 0);
  return search.genes.map(({ name }, place) => {
    const groups = new Map<number, number[]>();
    for (const { genes, time } of timed) {
      const value = genes[place] ?? 0;
      groups.set(value, [...(groups.get(value) ?? []), time]);
    }
    const between = [...groups.values()].reduce((sum, group) => sum + group.length * (mean(group) - all) ** 2, 0);
    return { name, share: spread > 0 ? between / spread : 0 };
  });
}
