/** What each schedule of a search costs in time and in memory, and which of them nothing beats in both. */
import type { Candidate, Search } from './search-log';

export interface Cost {
  readonly one: Candidate;
  readonly seconds: number;
  readonly bytes: number;
}

/** Every schedule that was timed and whose memory is known, once each. */
export function costs(search: Search): readonly Cost[] {
  const found = new Map<string, Cost>();
  for (const one of search.candidates) {
    const { plan, seconds, bytes } = one;
    if (seconds !== null && bytes !== null && bytes !== undefined && !found.has(plan))
      found.set(plan, { one, seconds, bytes });
  }
  return [...found.values()];
}

/** Those that no other is at least as good as in both and better in one, the fastest first. Of equal ones the first. */
export function front(all: readonly Cost[]): readonly Cost[] {
  const sorted = [...all].sort((left, right) => left.seconds - right.seconds || left.bytes - right.bytes);
  let least = Infinity;
  return sorted.filter(({ bytes }) => {
    const better = bytes < least;
    least = Math.min(least, bytes);
    return better;
  });
}

export interface Point {
  readonly cost: Cost;
  readonly x: number;
  readonly y: number;
  readonly best: boolean;
}

export interface ParetoPicture {
  readonly points: readonly Point[];
  /** The stairs between what nothing beats. */
  readonly stairs: string;
  readonly times: readonly { readonly y: number; readonly seconds: number }[];
  readonly sizes: readonly { readonly x: number; readonly bytes: number }[];
}

const [LEFT, RIGHT, TOP, BOTTOM] = [64, 24, 12, 30];

/** Memory from left to right, times upwards, both logarithmically. */
export function paretoPicture(all: readonly Cost[], width: number, height: number): ParetoPicture {
  const seconds = scale(all.map((one) => one.seconds));
  const bytes = scale(all.map((one) => one.bytes));
  const x = (value: number): number => LEFT + bytes.at(value) * (width - LEFT - RIGHT);
  const y = (value: number): number => TOP + (1 - seconds.at(value)) * (height - TOP - BOTTOM);
  const best = front(all);
  const stairs: string[] = [];
  for (const [place, one] of best.entries()) {
    const before = best[place - 1];
    if (before !== undefined) stairs.push(`${x(before.bytes)},${y(one.seconds)}`);
    stairs.push(`${x(one.bytes)},${y(one.seconds)}`);
  }
  return {
    points: all.map((cost) => ({ cost, x: x(cost.bytes), y: y(cost.seconds), best: best.includes(cost) })),
    stairs: stairs.join(' '),
    times: seconds.ends.map((value) => ({ y: y(value), seconds: value })),
    sizes: bytes.ends.map((value) => ({ x: x(value), bytes: value })),
  };
}

/** From 0 to 1; a single value is in the middle. */
function scale(values: readonly number[]): { at: (value: number) => number; ends: readonly number[] } {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  if (values.length === 0 || low === high) return { at: () => 0.5, ends: values.length === 0 ? [] : [low] };
  const span = Math.log(high) - Math.log(low);
  return { at: (value) => (Math.log(value) - Math.log(low)) / span, ends: [low, high] };
}
