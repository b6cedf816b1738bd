import { describe, expect, it } from 'vitest';
import { cellsOf, largestOf } from './heat';

const BLOCKS = [
  [4, 0, 2],
  [0, 0, 8],
];

describe('the picture of atomic updates', () => {
  it('has a cell for each count, and all of them', () => {
    const cells = cellsOf(BLOCKS, 8);
    expect(cells.map(({ x, y, count }) => [x, y, count])).toEqual([
      [0, 0, 4],
      [2, 0, 2],
      [2, 1, 8],
    ]);
    expect(cells.map(({ share }) => share)).toEqual([0.5, 0.25, 1]);
  });

  it('has one scale for all pictures beside it', () => {
    expect(largestOf([BLOCKS, [[9]], []])).toBe(9);
    expect(largestOf([])).toBe(0);
    expect(cellsOf([[0]], 0)).toEqual([]);
  });
});
