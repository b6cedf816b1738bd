import { describe, expect, it } from 'vitest';
import { HYB_2_1 } from '../composition/fixture';
import { offsetSteps, stepText } from './offsets';

describe('the offset of an entry', () => {
  it('is its place among the values of its part, for every entry', () => {
    HYB_2_1.cells?.places.forEach((place, entry) => {
      const part = HYB_2_1.parts[HYB_2_1.cells?.parts[entry] ?? -1];
      if (part === undefined) throw new Error('no part');
      const steps = offsetSteps(part, place);
      expect(steps).toHaveLength(2);
      expect(steps?.at(-1)?.position).toBe(place);
      expect(steps?.map(({ coordinate }) => coordinate)).toEqual(HYB_2_1.cells?.coordinates[entry]);
    });
  });

  it('is said with its numbers', () => {
    const part = HYB_2_1.parts[1];
    if (part === undefined) throw new Error('no part');
    expect(offsetSteps(part, 3)?.map(stepText)).toEqual([
      'pos[p] = 0 for p = 0; 0 + 1 = 1',
      'p * width[0] = 2 for p = 1; 2 + 1 = 3',
    ]);
    expect(offsetSteps(part, 9)).toBeNull();
  });
});
