import { describe, expect, it } from 'vitest';
import { HYB_2_1 } from './fixture';
import { pictureOf } from './picture';

const drawn = (room: number) => {
  const picture = pictureOf(HYB_2_1, room);
  if (picture === null) throw new Error('no picture');
  return picture;
};

describe('the picture of a sum of parts', () => {
  it('has a cell for each coordinate and a place for each value', () => {
    const picture = drawn(800);
    expect(picture.cells).toHaveLength(24);
    expect(picture.cells.filter(({ entry }) => entry >= 0).map(({ at }) => at)).toEqual(HYB_2_1.cells?.coordinates);
    expect(picture.parts.map(({ places }) => places.map(({ entry }) => entry))).toEqual([
      [2, 5, 6],
      [0, 1, 3, 4],
    ]);
    expect(picture.parts[0]?.rows.map(({ label }) => label)).toEqual(['0: row 2', '1: row 3', '2: row 3']);
  });

  it('puts the parts below the grid where there is no room beside it, and never one over another', () => {
    for (const room of [240, 320, 480, 800]) {
      const picture = drawn(room);
      const places = picture.parts.flatMap((part) => part.places);
      const boxes = [...picture.cells, ...places].map(({ x, y }) => `${x} ${y}`);
      expect(new Set(boxes).size).toBe(boxes.length);
      for (const { x, y } of places) {
        expect(x + 26).toBeLessThanOrEqual(picture.width);
        expect(y + 26).toBeLessThanOrEqual(picture.height);
      }
    }
    expect(drawn(240).width).toBeLessThanOrEqual(240);
  });

  it('draws no large matrix, and no other order', () => {
    expect(pictureOf({ ...HYB_2_1, shape: [64, 64] }, 800)).toBeNull();
    expect(pictureOf({ ...HYB_2_1, shape: [2, 2, 2] }, 800)).toBeNull();
    expect(pictureOf({ ...HYB_2_1, cells: null }, 800)).toBeNull();
  });
});
