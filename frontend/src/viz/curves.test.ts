import { describe, expect, it } from 'vitest';
import { throughPoints, throughStretches } from './curves';

describe('curves', () => {
  it('runs straight down between stretches in line', () => {
    const data = throughStretches([
      { x: 5, top: 0, bottom: 10 },
      { x: 5, top: 30, bottom: 40 },
    ]);
    expect(data).toBe('M5 0 V10 V30 V40');
  });

  it('changes sides with vertical tangents at both ends', () => {
    const points = [
      { x: 0, y: 0 },
      { x: 8, y: 20 },
    ];
    expect(throughPoints(points)).toBe('M0 0 C0 10 8 10 8 20');
  });
});
