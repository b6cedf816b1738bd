import { expect, it } from 'vitest';
import { HIGHER, inEachSpacing, ROOMY } from './spacing';

it('draws what fits across higher too, in each number of rows, unless it is high already', () => {
  const drawings = inEachSpacing(({ gap }) => [
    { width: 300, height: 10 * gap },
    { width: 150, height: 20 * gap },
    { width: 100, height: 30 * gap },
  ]);
  const heights = (width: number): number[] =>
    drawings.filter((drawing) => drawing.width === width).map(({ height }) => height);
  const [beside, under, column] = [300, 150, 100].map(heights);
  expect(beside?.slice(0, HIGHER.length + 1)).toEqual([...HIGHER, 1].map((by) => 10 * (ROOMY.gap * by)));
  expect(under?.slice(0, HIGHER.length + 1)).toEqual([...HIGHER, 1].map((by) => 20 * (ROOMY.gap * by)));
  // 30 gaps are higher than a pane; those drawn closely are not.
  expect(column?.[0]).toBe(30 * ROOMY.gap);
  expect(column?.length).toBeGreaterThan(3);
});
