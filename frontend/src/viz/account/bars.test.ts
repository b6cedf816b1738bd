import { expect, test } from 'vitest';
import { barsOf } from './bars';

test('shares of two plans are drawn on one scale', () => {
  const { bars, mean } = barsOf([10, 30], 40, 100, 80);
  expect(bars.map(({ x, height, y }) => [x, height, y])).toEqual([
    [0, 20, 60],
    [40, 60, 20],
  ]);
  expect(mean).toBe(40);
});

test('many bars fit, and none has no width', () => {
  const { bars } = barsOf(
    Array.from({ length: 256 }, () => 1),
    1,
    136,
    84,
  );
  expect(Math.max(...bars.map(({ x, width }) => x + width))).toBeCloseTo(136);
  expect(Math.min(...bars.map(({ width }) => width))).toBeGreaterThan(0);
});
