import { describe, expect, it } from 'vitest';
import { barsOf } from './strip';

describe('the strip of a column', () => {
  it('goes up and down from the middle, the longest bar to the edge', () => {
    expect(barsOf([2, 0, -1], 30, 20)).toEqual([
      { x: 0, y: 0, width: 10, height: 10, negative: false },
      { x: 20, y: 10, width: 10, height: 5, negative: true },
    ]);
  });

  it('is empty where the component is', () => {
    expect(barsOf([0, 0], 30, 20)).toEqual([]);
    expect(barsOf([], 30, 20)).toEqual([]);
  });
});
