import { describe, expect, it } from 'vitest';
import { roofOf } from './roof';

describe('the position in a roofline', () => {
  it('is on the slope below the border and on the flat part above', () => {
    const below = roofOf(1, 4, 300, 120);
    expect(below.x).toBeLessThan(below.edge);
    const above = roofOf(16, 4, 300, 120);
    expect(above.x).toBeGreaterThan(above.edge);
    expect(above.y).toBeLessThan(below.y);
    expect(above.y).toBe(roofOf(64, 4, 300, 120).y);
  });

  it('at the border is where the slope ends', () => {
    const { x, edge } = roofOf(4, 4, 300, 120);
    expect(x).toBe(edge);
  });

  it('stays in the picture, whatever the intensity', () => {
    for (const intensity of [0, 1e-9, 1e12]) {
      const { x, y } = roofOf(intensity, 4, 300, 120);
      expect(x).toBeGreaterThanOrEqual(0);
      expect(x).toBeLessThanOrEqual(300);
      expect(y).toBeGreaterThan(0);
      expect(y).toBeLessThan(120);
    }
  });
});
