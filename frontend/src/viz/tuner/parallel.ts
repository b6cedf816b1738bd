/** Parallel coordinates of a search: an axis for each gene, a line for each schedule. */
import type { Candidate, Gene, Search } from './search-log';

export interface Tick {
  readonly x: number;
  /** Where its text is anchored: at the ends beside the lines, which meet there. */
  readonly textX: number;
  readonly text: string;
  /** Whether its text has room beside those that are drawn. */
  readonly drawn: boolean;
  readonly anchor: 'start' | 'middle' | 'end';
}

export interface Axis {
  readonly gene: Gene;
  /** The number of the gene. */
  readonly place: number;
  readonly y: number;
  readonly ticks: readonly Tick[];
}

export interface Line {
  readonly one: Candidate;
  readonly points: string;
  /** 0 for the fastest, 1 for the slowest. */
  readonly rank: number;
}

export interface Parallel {
  readonly axes: readonly Axis[];
  readonly lines: readonly Line[];
  /** Where the axis of times is, which is the last, and from when to when it goes. */
  readonly times: { readonly y: number; readonly low: number; readonly high: number } | null;
  readonly height: number;
}

const [SIDE, TOP, ROW] = [12, 22, 46];
/** Px from the sides to names and to the values at the ends of axes: lines through these pass them by. */
export const BESIDE = SIDE + 8;
/** Px that a letter takes, about. */
const LETTER = 6.4;
/** Px by which lines through one value are apart. */
const APART = 6;

interface Timed {
  readonly one: Candidate;
  readonly seconds: number;
}

/** Every schedule that was timed, once for each choice of genes, the fastest first. */
export function timedOnce(search: Search): readonly Timed[] {
  const found = new Map<string, Timed>();
  for (const one of search.candidates) {
    const name = one.genes.join(' ');
    if (one.seconds !== null && !found.has(name)) found.set(name, { one, seconds: one.seconds });
  }
  return [...found.values()].sort((left, right) => left.seconds - right.seconds);
}

/** Axes below one another, so that a narrow page has room for their names; the last is that of times. */
export function parallel(search: Search, width: number): Parallel {
  const timed = timedOnce(search);
  const axes = search.genes
    .map((gene, place) => ({ gene, place }))
    .filter(({ gene }) => gene.values.length > 1)
    .map(({ gene, place }, row) => ({ gene, place, y: TOP + row * ROW, ticks: ticksOf(gene, width) }));
  const [low, high] = [timed[0]?.seconds, timed.at(-1)?.seconds];
  const end = TOP + axes.length * ROW;
  const lines = timed.map(({ one, seconds }, number) => {
    const rank = timed.length > 1 ? number / (timed.length - 1) : 0;
    const points = axes.map(({ gene, place, y }) => {
      const x = placed(one.genes[place] ?? 0, gene.values.length, width);
      return `${(x + (rank - 0.5) * APART).toFixed(1)},${y}`;
    });
    const share = ratio(seconds, low ?? seconds, high ?? seconds);
    return { one, rank, points: [...points, `${(SIDE + share * (width - 2 * SIDE)).toFixed(1)},${end}`].join(' ') };
  });
  const times = low === undefined || high === undefined ? null : { y: end, low, high };
  return { axes, lines, times, height: end + 28 };
}

/** From 0 to 1, logarithmically; in the middle where there is no range. */
const ratio = (value: number, low: number, high: number): number =>
  low === high ? 0.5 : Math.log(value / low) / Math.log(high / low);

const placed = (value: number, count: number, width: number): number =>
  SIDE + (count > 1 ? value / (count - 1) : 0.5) * (width - 2 * SIDE);

/** The ends have their texts always, those between while there is room. */
function ticksOf(gene: Gene, width: number): readonly Tick[] {
  const count = gene.values.length;
  const texts = gene.values.map(String);
  const last = width - BESIDE - (texts.at(-1)?.length ?? 0) * LETTER - 8;
  let free = 0;
  return texts.map((text, value) => {
    const x = placed(value, count, width);
    const anchor = value === 0 ? 'start' : value === count - 1 ? 'end' : 'middle';
    const half = (text.length * LETTER) / 2;
    const drawn = anchor !== 'middle' || (x - half >= free && x + half <= last);
    if (drawn) free = anchor === 'start' ? BESIDE + 2 * half + 8 : x + half + 8;
    const textX = anchor === 'start' ? BESIDE : anchor === 'end' ? width - BESIDE : x;
    return { x, textX, text, drawn, anchor };
  });
}

export interface OfValue {
  /** The number of the value. */
  readonly value: number;
  readonly text: string;
  readonly tried: number;
  readonly fastest: number | null;
  readonly median: number | null;
}

/** What a gene's values came to: how many schedules with each were timed, and how fast they are in seconds. */
export function byValue(search: Search, place: number): readonly OfValue[] {
  const timed = timedOnce(search);
  return (search.genes[place]?.values ?? []).map((text, value) => {
    const own = timed.filter(({ one }) => one.genes[place] === value).map(({ seconds }) => seconds);
    return {
      value,
      text: String(text),
      tried: own.length,
      fastest: own[0] ?? null,
      median: own[Math.floor((own.length - 1) / 2)] ?? null,
    };
  });
}
