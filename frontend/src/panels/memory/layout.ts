/** Rows of different lengths, and where their elements lie when the rows stand behind one another. */

/** Where each row begins, and behind them the end of all. */
export function startsOf(lengths: readonly number[]): number[] {
  let total = 0;
  return [0, ...lengths.map((length) => (total += length))];
}

/** The sum of the lengths of the rows in front of row `i`, plus `j`: added up, whatever formula says it. */
export function addressOf(lengths: readonly number[], i: number, j: number): number {
  return lengths.slice(0, i).reduce((sum, length) => sum + length, 0) + j;
}

export interface Cell {
  readonly row: number;
  readonly place: number;
}

/** The element that is chosen, or the first one that there is. */
export function existing(lengths: readonly number[], cell: Cell): Cell | null {
  if (cell.place < (lengths[cell.row] ?? 0)) return cell;
  const row = lengths.findIndex((length) => length > 0);
  return row < 0 ? null : { row, place: 0 };
}

/** A schedule in which the starts of rows of `array` are found by `strategy`. */
export function withStrategy(schedule: string, array: string, strategy: string): string {
  const lines = schedule.split('\n').filter((line) => line.trim() !== '' && !sumsOf(line, array));
  return strategy === 'auto' ? lines.join('\n') : [...lines, `sums(${array}, ${strategy})`].join('\n');
}

/** The strategy that the schedule says; the last of several is in force. */
export function strategyIn(schedule: string, array: string): string {
  const line = schedule.split('\n').findLast((one) => sumsOf(one, array));
  return /,\s*(\w+)\s*\)/.exec(line ?? '')?.[1] ?? 'auto';
}

const sumsOf = (line: string, array: string): boolean => new RegExp(`^\\s*sums\\(\\s*${array}\\s*,`).test(line);

/** `text` with `length` at every place that says the length of the rows. */
export function withLength(text: string, spans: readonly (readonly number[])[], length: string): string {
  return [...spans]
    .sort(([left = 0], [right = 0]) => right - left)
    .reduce((changed, [start = 0, end = 0]) => changed.slice(0, start) + length + changed.slice(end), text);
}
