import { describe, expect, it } from 'vitest';
import { scheduleNumbers, stopsFor, tileNumbers, tileOf, withNumber } from './schedule-numbers';

const TEXT = 'split(i, i0, i1, 32)\n# split(j, j0, j1, 8)\nA[*]: divide(j, j0, j1, 4) # 2 of them\nunroll(i1, 2)';

describe('the numbers of a schedule', () => {
  it('are those of its commands, and not of comments and names', () => {
    expect(scheduleNumbers(TEXT).map(({ value, name, variable }) => [value, name, variable])).toEqual([
      [32, 'split', 'i'],
      [4, 'divide', 'j'],
      [2, 'unroll', 'i1'],
    ]);
    expect(tileNumbers(TEXT).map(({ command }) => command)).toEqual([
      'split(i, i0, i1, 32)',
      'A[*]: divide(j, j0, j1, 4)',
    ]);
  });

  it('change in their place', () => {
    const [, parts] = scheduleNumbers(TEXT);
    if (parts === undefined) throw new Error('no number');
    expect(withNumber(TEXT, parts, 128)).toBe(TEXT.replace('j1, 4)', 'j1, 128)'));
  });

  it('make tiles, or so many of them', () => {
    const [tile, parts] = tileNumbers(TEXT).map((number) => tileOf(number, 10));
    expect([tile, parts]).toEqual([32, 3]);
  });

  it('have stops on both sides', () => {
    expect(stopsFor(5).slice(0, 8)).toEqual([1, 2, 3, 4, 5, 6, 8, 12]);
    expect(stopsFor(1).at(-1)).toBe(6144);
    expect(stopsFor(100_000).at(-1)).toBeGreaterThan(200_000);
  });
});
