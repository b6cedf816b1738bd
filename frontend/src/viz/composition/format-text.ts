/** The numbers in the text of a format that is a sum of parts, as sliders and the edges of buckets change them. */

/** A number of the text: where it stands, and what it may be. */
export interface TextNumber {
  readonly start: number;
  readonly end: number;
  readonly value: number;
  readonly least: number;
  readonly most: number;
}

/** `hyb(c,k)` and its further forms. */
export interface Hyb {
  readonly ranges: TextNumber;
  readonly buckets: TextNumber;
  /** Ranges of rows, where it has them. */
  readonly rows: TextNumber | null;
  readonly whole: boolean;
}

const HYB = /^(\s*hyb\s*\(\s*)(\d{1,9})(\s*,\s*)(\d{1,9})(?:(\s*,\s*)(\d{1,9}))?(?:\s*,\s*(whole))?\s*\)\s*$/i;
export const MAX_RANGES = 4096;
export const MAX_BUCKET = 12;

export function hybOf(text: string): Hyb | null {
  const found = HYB.exec(text);
  if (found === null) return null;
  const [, head = '', c = '', first = '', k = '', second = '', r, whole] = found;
  const at = (start: number, digits: string, least: number, most: number): TextNumber => ({
    start,
    end: start + digits.length,
    value: Number(digits),
    least,
    most,
  });
  const bucketsAt = head.length + c.length + first.length;
  return {
    // With `whole` a row lies in one part: its columns are not cut.
    ranges: at(head.length, c, 1, whole === undefined ? MAX_RANGES : 1),
    buckets: at(bucketsAt, k, 0, MAX_BUCKET),
    rows: r === undefined ? null : at(bucketsAt + k.length + second.length, r, 1, MAX_RANGES),
    whole: whole !== undefined,
  };
}

export const withNumberAt = (text: string, number: TextNumber, value: number): string =>
  text.slice(0, number.start) +
  String(Math.min(number.most, Math.max(number.least, Math.round(value)))) +
  text.slice(number.end);

/** An edge between buckets: rows of at most `at` entries stand before it. Null where no number of the text sets it. */
export interface Edge {
  readonly at: number;
  readonly number: TextNumber | null;
  /** What the number says of the edge: 2^number, the number itself, or one less than it. */
  readonly scale: 'power' | 'itself' | 'below';
  readonly label: string;
}

const LENGTH = /\b(?:length|piece\s*\([^()]*\))\s*(?:(<=|<|==)\s*(\d{1,9})|in\s*\d{1,9}\s*\.\.\s*(\d{1,9}))/gi;
const MOST_EDGE = 1 << MAX_BUCKET;

/** Where the buckets of a format end, by the length of rows or pieces, ascending. */
export function edgesOf(text: string): readonly Edge[] {
  const hyb = hybOf(text);
  if (hyb !== null) {
    return Array.from({ length: hyb.buckets.value + 1 }, (_, bucket) => ({
      at: 2 ** bucket,
      number: bucket === hyb.buckets.value ? hyb.buckets : null,
      scale: 'power' as const,
      label: bucket === hyb.buckets.value ? 'Largest bucket' : `Bucket of ${2 ** bucket}`,
    }));
  }
  const edges = [...text.matchAll(LENGTH)].map((found): Edge => {
    const [whole, comparison, compared, upper] = found;
    const digits = compared ?? upper ?? '';
    const end = found.index + whole.length;
    const below = comparison === '<';
    const number = {
      start: end - digits.length,
      end,
      value: Number(digits),
      least: below ? 2 : 1,
      most: below ? MOST_EDGE + 1 : MOST_EDGE,
    };
    return {
      at: number.value - (below ? 1 : 0),
      number,
      scale: below ? 'below' : 'itself',
      label: `Edge of ${whole.trim()}`,
    };
  });
  return edges.toSorted((one, other) => one.at - other.at);
}

/** The text after an edge went to `at` entries. */
export function withEdgeAt(text: string, edge: Edge, at: number): string {
  if (edge.number === null) return text;
  const value = edge.scale === 'power' ? Math.round(Math.log2(at)) : edge.scale === 'below' ? at + 1 : at;
  return withNumberAt(text, edge.number, value);
}

/** Whether a format is a sum of parts, as the service reads it. */
export const isComposed = (text: string): boolean =>
  /\bwhere\b/i.test(text) || /^\s*hyb\s*(\(|$)/i.test(text) || text.includes('+');
