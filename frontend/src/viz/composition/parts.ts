/** What belongs together in a sum of parts: an entry, its part, and its place there. */
import type { StoredPartsView } from '../../api/types';

/** What is pointed at: an entry by its number, a place of a part (which may be padding), or a whole part. */
export type Pointed =
  | { readonly kind: 'entry'; readonly entry: number }
  | { readonly kind: 'place'; readonly part: number; readonly place: number }
  | { readonly kind: 'part'; readonly part: number };

export interface Marks {
  /** Null where no single entry is meant. */
  readonly entry: number | null;
  readonly part: number | null;
  readonly place: number | null;
}

const NONE: Marks = { entry: null, part: null, place: null };

export function marksOf(stored: StoredPartsView, pointed: Pointed | null): Marks {
  if (pointed === null) return NONE;
  const { cells, parts } = stored;
  switch (pointed.kind) {
    case 'part':
      return { ...NONE, part: pointed.part };
    case 'entry':
      return {
        entry: pointed.entry,
        part: cells?.parts[pointed.entry] ?? null,
        place: cells?.places[pointed.entry] ?? null,
      };
    case 'place': {
      const entry = parts[pointed.part]?.slots?.entries[pointed.place] ?? -1;
      return { entry: entry < 0 ? null : entry, part: pointed.part, place: pointed.place };
    }
    default:
      throw new Error(`unexpected ${JSON.stringify(pointed satisfies never)}`);
  }
}

/** What is pointed at, in a sentence. */
export function sentenceOf(name: string, stored: StoredPartsView, pointed: Pointed | null): string | null {
  const { entry, part, place } = marksOf(stored, pointed);
  const own = part === null ? undefined : stored.parts[part];
  if (own === undefined) return null;
  if (place === null) {
    return `${own.name} holds ${own.entries} of ${stored.entries} entries${own.test === '' ? ', those that no part before it took' : ` where ${own.test}`}.`;
  }
  const outer = own.slots?.outer[place];
  const among = own.pieces === null ? '' : outer === undefined ? '' : `, in piece ${outer}`;
  if (entry === null) return `Place ${place} of ${own.name}${among} is padding.`;
  const at = stored.cells?.coordinates[entry]?.join(',') ?? '';
  const value = shortValue(stored.cells?.values[entry] ?? '');
  const why = own.test === '' ? 'no part before it took it' : own.test;
  return `${name}(${at}) = ${value} is at place ${place} of ${own.name}${among}: ${why}.`;
}

/** `6` of `6.0`: as people write values. */
export const shortValue = (text: string): string => text.replace(/^(-?\d+)\.0$/, '$1');

/** The rows or pieces of a part, each with its places in their order. */
export function slotRows({
  entries,
  outer,
}: {
  readonly entries: readonly number[];
  readonly outer: readonly number[];
}) {
  const rows: { readonly outer: number; readonly places: { readonly place: number; readonly entry: number }[] }[] = [];
  entries.forEach((entry, place) => {
    const own = outer[place] ?? 0;
    const last = rows.at(-1);
    if (last?.outer === own) last.places.push({ place, entry });
    else rows.push({ outer: own, places: [{ place, entry }] });
  });
  return rows;
}

/** Of workers that all wait for the last one: how much more it has than the mean, and how long the others idle. */
export function balanceOf(loads: readonly (readonly number[])[]): { readonly worst: number; readonly idle: number } {
  let busy = 0;
  let waited = 0;
  for (const one of loads) {
    busy += one.reduce((sum, load) => sum + load, 0);
    waited += Math.max(0, ...one) * one.length;
  }
  return waited === 0 ? { worst: 1, idle: 0 } : { worst: waited / busy, idle: 1 - busy / waited };
}

/** How many colours and patterns there are; further parts repeat them, and their numbers tell them apart. */
export const KINDS = 8;
