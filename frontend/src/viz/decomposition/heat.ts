/** Which rows are updated atomically, and when, as a picture. Pure: tested without a DOM. */

export interface Cell {
  readonly x: number;
  readonly y: number;
  readonly count: number;
  /** Of the largest count of all pictures that are compared, 0 to 1. */
  readonly share: number;
}

/** The cells with a count, `x` by rows and `y` by the order of entries; shares are of the `largest` one. */
export function cellsOf(blocks: readonly (readonly number[])[], largest: number): readonly Cell[] {
  return blocks.flatMap((line, y) =>
    line.flatMap((count, x) => (count > 0 ? [{ x, y, count, share: largest > 0 ? count / largest : 0 }] : [])),
  );
}

export const largestOf = (pictures: readonly (readonly (readonly number[])[])[]): number =>
  pictures.flat(2).reduce((most, count) => Math.max(most, count), 0);
