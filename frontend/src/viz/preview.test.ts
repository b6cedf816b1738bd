import { describe, expect, it } from 'vitest';
import type { PreviewView } from '../api/types';
import { factsOf, fullestOf, rangeOf, shadeOf, slicesOf } from './preview';

const PREVIEW: PreviewView = {
  ok: true,
  diagnostics: [],
  source: 'dataset a',
  shape: [4, 4],
  nonzeros: 4,
  raster: { row_step: 1, column_step: 1, counts: [[1]] },
  degrees: [
    { dimension: 0, size: 4, empty: 1, least: 0, mean: 1, most: 2, gini: 0.375, bins: [] },
    { dimension: 1, size: 4, empty: 0, least: 1, mean: 1, most: 1, gini: 0, bins: [] },
  ],
  bandwidth: 3,
  symmetric: false,
};

describe('a preview', () => {
  it('is told in sentences', () => {
    expect(factsOf(PREVIEW)).toEqual([
      '4 × 4, 4 nonzeros, 25 % of all cells.',
      'Entries in rows: 0 to 2, mean 1.00; 1 empty; inequality (Gini) 0.38.',
      'Entries in columns: 1 to 1, mean 1.00; none empty; all equal.',
      'The farthest entry is 3 away from the diagonal.',
      'The pattern is not symmetric.',
    ]);
  });
  it('has no sentence about what a tensor does not have', () => {
    const cube = { ...PREVIEW, shape: [1000, 1000, 1000], degrees: [], bandwidth: null, symmetric: null };
    expect(factsOf(cube)).toHaveLength(1);
    expect(factsOf(cube)[0]).toContain('4.0e-7 % of all cells');
    expect(slicesOf(2, 3)).toBe('coordinates of dimension 3');
  });
  it('shades a bin by how many it holds, and never hides one', () => {
    expect(shadeOf(0, 9)).toBe(0);
    expect(shadeOf(1, 1_000_000)).toBeGreaterThan(0.35);
    expect(shadeOf(9, 9)).toBe(1);
    expect(fullestOf([[1, 5], [2], []])).toBe(5);
    expect([rangeOf(0, 0), rangeOf(4, 7)]).toEqual(['0', '4–7']);
  });
});
