import { describe, expect, it } from 'vitest';
import { HYB_2_1 } from './fixture';
import { backText, countersOf, forwardText, gridOf, movesOf, tupleText } from './remapping';
import { BCSR_2_3, DIA, ELL } from './remapping-fixture';
import { CELL } from './picture';

const IJ = ['i', 'j'];

describe('the coordinates that a part stores its entries by', () => {
  it('are written with the names of the dimensions, there and back', () => {
    expect(forwardText(DIA, IJ)).toBe('(i, j) → (i, d = j − i)');
    expect(backText(DIA, IJ)).toBe('i = i, j = i + d');
    expect(forwardText(ELL, ['r', 'c'])).toBe('(r, c) → (r, s = #r)');
    expect(forwardText(BCSR_2_3, IJ)).toBe('(i, j) → (i₁ = i ÷ 2, j₁ = j ÷ 3, i₀ = i mod 2, j₀ = j mod 3)');
    expect(backText(BCSR_2_3, IJ)).toBe('i = i₁ · 2 + i₀, j = j₁ · 3 + j₀');
  });

  it('shear the grid where they number diagonals: each diagonal is a column', () => {
    const columns = new Map<number, Set<number>>();
    for (const { at, fromY, toX, toY } of movesOf(HYB_2_1, DIA)) {
      const diagonal = (at[1] ?? 0) - (at[0] ?? 0);
      columns.set(diagonal, (columns.get(diagonal) ?? new Set()).add(toX));
      expect(toY).toBe(fromY);
    }
    expect([...columns.values()].every((places) => places.size === 1)).toBe(true);
    expect(gridOf(HYB_2_1, DIA)?.columns.map(({ label }) => label)).toEqual(['−2', '−1', '0', '1', '2', '3']);
  });

  it('push the entries of a row to the left where they count slots', () => {
    const rows = new Map<number, number[]>();
    for (const { at, toX } of movesOf(HYB_2_1, ELL)) rows.set(at[0] ?? 0, [...(rows.get(at[0] ?? 0) ?? []), toX]);
    for (const places of rows.values()) {
      expect(places).toEqual(places.map((_, slot) => (places[0] ?? 0) + slot * CELL));
      expect(places[0]).toBe(gridOf(HYB_2_1, ELL)?.left);
    }
  });

  it('keep blocks together', () => {
    const grid = gridOf(HYB_2_1, BCSR_2_3);
    expect(grid?.rows.map(({ label }) => label)).toEqual(['0,0', '0,1', '1,0', '1,1']);
    const places = movesOf(HYB_2_1, BCSR_2_3).map(({ toX, toY }) => `${toX} ${toY}`);
    expect(new Set(places).size).toBe(places.length);
    for (const { fromX, fromY, toX, toY } of movesOf(HYB_2_1, BCSR_2_3)) expect([toX, toY]).toEqual([fromX, fromY]);
  });

  it('count the entries of each row as they come', () => {
    expect(countersOf(ELL, 0)?.size).toBe(0);
    expect([...(countersOf(ELL, 4) ?? [])]).toEqual([
      [0, 2],
      [2, 2],
    ]);
    expect(countersOf(DIA, 4)).toBeNull();
  });

  it('have no picture where there are no cells or too many', () => {
    expect(gridOf({ ...HYB_2_1, cells: null }, DIA)).toBeNull();
    expect(gridOf({ ...HYB_2_1, shape: [4, 600] }, DIA)).toBeNull();
  });

  it('are said of one entry', () => {
    expect(tupleText(DIA, [2, 3], IJ)).toBe('(i = 2, d = 3)');
  });
});
