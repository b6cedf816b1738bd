import { describe, expect, it } from 'vitest';
import { placeInOrder } from './isotonic';

const wish = (...wishes: number[]) => wishes.map((one) => ({ wish: one, weight: 1 }));

describe('placing in order', () => {
  it('grants wishes that are far enough apart', () => expect(placeInOrder(wish(0, 10), [5])).toEqual([0, 10]));

  it('shares the shift evenly when they are too near', () => expect(placeInOrder(wish(0, 2), [6])).toEqual([-2, 4]));

  it('moves what weighs less', () => {
    const wishes = [
      { wish: 0, weight: 3 },
      { wish: 0, weight: 1 },
    ];
    expect(placeInOrder(wishes, [4])).toEqual([-1, 3]);
  });

  it('keeps the order even against the wishes', () => {
    const places = placeInOrder(wish(9, 1, 5), [2, 2]);
    expect((places[1] ?? 0) - (places[0] ?? 0)).toBeGreaterThanOrEqual(2);
    expect((places[2] ?? 0) - (places[1] ?? 0)).toBeGreaterThanOrEqual(2);
  });
});
