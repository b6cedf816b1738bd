import { describe, expect, it } from 'vitest';
import { bytesOfProduct, largestRank } from './bandwidth';

describe('the bytes of a product', () => {
  it('are those of the formula', () => {
    expect(bytesOfProduct(3, 1_000_000, 16)).toBe(((3 * 16 + 3) * 8 + 3 * 4) * 1_000_000);
    expect(bytesOfProduct(4, 10, 1)).toBe(720);
  });

  it('grow with the rank by order times 8 for each entry', () => {
    expect(bytesOfProduct(5, 7, 9) - bytesOfProduct(5, 7, 8)).toBe(5 * 8 * 7);
  });

  it('are shown for ranks around the one that ran', () => {
    expect([largestRank(3), largestRank(100)]).toEqual([64, 400]);
  });
});
