/** The column of a factor as a strip of bars. Pure: tested without a DOM. */

export interface Bar {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly negative: boolean;
}

/** One bar for each value that is not 0, up or down from the middle of a box of that size; the longest of them fills its
 *  half. */
export function barsOf(values: readonly number[], width: number, height: number): readonly Bar[] {
  const largest = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const step = width / Math.max(values.length, 1);
  return values.flatMap((value, place) => {
    if (value === 0) return [];
    const long = (Math.abs(value) / largest) * (height / 2);
    const y = value > 0 ? height / 2 - long : height / 2;
    return [{ x: place * step, y, width: step, height: long, negative: value < 0 }];
  });
}
