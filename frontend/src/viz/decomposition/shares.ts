/** Where the time of sweeps went, by phase and mode, and the line of their fits. Pure: tested without a DOM. */

export interface Swept {
  readonly sweep: number;
  readonly fit: number;
  readonly resolved: boolean;
  readonly seconds: number;
  readonly phases: Readonly<Record<string, number>>;
}

export interface Share {
  /** As the service names it: `mttkrp.0`, `fit`. */
  readonly phase: string;
  readonly seconds: number;
  /** Of all sweeps, 0 to 1. */
  readonly share: number;
}

/** The largest first; what no phase names is `other`, so that the shares add up to 1. */
export function shares(history: readonly Swept[]): readonly Share[] {
  const total = history.reduce((sum, { seconds }) => sum + seconds, 0);
  const seconds = new Map<string, number>();
  for (const { phases } of history)
    for (const [phase, spent] of Object.entries(phases)) seconds.set(phase, (seconds.get(phase) ?? 0) + spent);
  const named = [...seconds.values()].reduce((sum, spent) => sum + spent, 0);
  if (total > named) seconds.set('other', total - named);
  return [...seconds]
    .map(([phase, spent]) => ({ phase, seconds: spent, share: total > 0 ? spent / Math.max(total, named) : 0 }))
    .sort((a, b) => b.seconds - a.seconds);
}

/** In the order of their names, so that modes follow one another. */
export const byPhase = (spent: readonly Share[]): readonly Share[] =>
  [...spent].sort((a, b) => a.phase.localeCompare(b.phase, 'en'));

/** What a line of fits is drawn from. */
export interface Fitted {
  readonly sweep: number;
  readonly fit: number;
  readonly seconds: number;
}

export interface Point<One extends Fitted = Swept> {
  readonly x: number;
  readonly y: number;
  readonly of: One;
}

/** At most this many points of a line are drawn: the first, the last, and as many evenly between. */
export const MOST_POINTS = 200;

/** The fit itself, or −log10(1 − fit), where those near 1 are apart. */
export type FitScale = 'fit' | 'log';

/** What a line of fits runs over: sweeps, or the seconds that had passed behind each. */
export type FitOver = 'sweeps' | 'seconds';

const LEAST_REST = 1e-12;

export const scaled = (fit: number, scale: FitScale): number =>
  scale === 'fit' ? fit : -Math.log10(Math.max(1 - fit, LEAST_REST));

/** The seconds of all sweeps up to the end of each. */
export function elapsed(history: readonly { readonly seconds: number }[]): readonly number[] {
  let passed = 0;
  return history.map(({ seconds }) => (passed += seconds));
}

/**
 * Lines of fits in one box of that size, y downwards; its axes reach from the least to the greatest of all, that of
 * seconds from 0.
 */
export function fitLines<One extends Fitted>(
  histories: readonly (readonly One[])[],
  width: number,
  height: number,
  scale: FitScale = 'fit',
  over: FitOver = 'sweeps',
): readonly (readonly Point<One>[])[] {
  const all = histories.map((history) => {
    const step = Math.max(1, Math.ceil(history.length / MOST_POINTS));
    const ends = elapsed(history);
    return history
      .map((of, place) => ({ of, at: over === 'sweeps' ? of.sweep : (ends[place] ?? 0) }))
      .filter((_, place) => place % step === 0 || place === history.length - 1);
  });
  const drawn = all.flat();
  const fits = drawn.map(({ of }) => scaled(of.fit, scale));
  const places = drawn.map(({ at }) => at);
  const first = over === 'sweeps' ? Math.min(...places) : 0;
  const [low, high, last] = [Math.min(...fits), Math.max(...fits), Math.max(...places)];
  return all.map((line) =>
    line.map(({ of, at }) => ({
      x: last > first ? ((at - first) / (last - first)) * width : width / 2,
      y: high > low ? height - ((scaled(of.fit, scale) - low) / (high - low)) * height : height / 2,
      of,
    })),
  );
}

/** Two bars of one scale: a sweep, and what is done once before all of them; `sweeps` is how many it is as long as. */
export function besideOnce(sweep: number, once: number): Readonly<Record<'sweep' | 'once' | 'sweeps', number>> {
  const longest = Math.max(sweep, once);
  return longest > 0
    ? { sweep: sweep / longest, once: once / longest, sweeps: sweep > 0 ? once / sweep : 0 }
    : { sweep: 0, once: 0, sweeps: 0 };
}

/** Records as they come, in order; one with a number that came before is the same step again, after a lost process. */
export function joined<Record extends { readonly sweep: number }>(
  before: readonly Record[],
  news: readonly Record[],
): readonly Record[] {
  const first = news[0]?.sweep;
  if (first === undefined) return before;
  const end = before.findIndex(({ sweep }) => sweep >= first);
  return [...(end < 0 ? before : before.slice(0, end)), ...news];
}
