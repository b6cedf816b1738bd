import { describe, expect, it } from 'vitest';
import { definitionOf, documentOf, INITIAL, shapeOf } from './definition';

describe('a decomposition in a form', () => {
  it('comes back from its document', () => {
    for (const tensor of ['generated', 'med', `sha256:${'0'.repeat(64)}`]) {
      const definition = { ...INITIAL, tensor, rank: 7, sweeps: 9, tolerance: 0, seed: 4 };
      expect(definitionOf(documentOf(definition))).toEqual(definition);
    }
  });

  it('reads shapes as people write them', () => {
    expect(shapeOf('60, 80, 100')).toEqual([60, 80, 100]);
    expect(shapeOf('60 x 80 × 100')).toEqual([60, 80, 100]);
    for (const wrong of ['', '60', '60, 0', '60, a', '1,1,1,1,1,1,1,1,1,1']) expect(shapeOf(wrong)).toBeNull();
  });
});
