import { describe, expect, it } from 'vitest';
import { ALGORITHMS, definitionOf, documentOf, INITIAL, shapeOf } from './definition';
import { DECOMPOSITIONS } from '../overlays/examples';
import { documentAt } from '../state/address/decomposition-address';

describe('a decomposition in a form', () => {
  it('comes back from its document', () => {
    for (const tensor of ['generated', 'zipf', 'med', `sha256:${'0'.repeat(64)}`]) {
      const definition = { ...INITIAL, tensor, rank: 7, sweeps: 9, tolerance: 0, seed: 4, start: 'nvecs' };
      const document = documentOf(definition);
      expect(documentOf(definitionOf(document))).toEqual(document);
      expect(definitionOf(document)).toMatchObject({ tensor, rank: 7, sweeps: 9, seed: 4, start: 'nvecs' });
    }
  });

  it('keeps what has no field, so that a document that was opened runs as it is', () => {
    const document = {
      algorithm: 'cp-opt',
      inputs: { X: { generator: 'kruskal', shape: [4, 5, 6], rank: 2, support: 3, seed: 9 } },
      parameters: {
        rank: 3,
        sweeps: 20,
        tolerance: 0,
        start: { kind: 'given', hash: 'sha256:1' },
        update: [0, 2],
        reuse: '((0 1) 2)',
        reproducible: false,
      },
      kernels: { 'mttkrp.0': { method: 'rows' }, 'mttkrp.2': { tensors: { X: { format: 'csf' } } } },
      run: { threads: 2 },
    };
    expect(documentOf(definitionOf(document))).toEqual(document);
    expect(definitionOf(document).methods).toEqual({ 0: 'rows' });
  });

  it('asks for shared products only where the algorithm has them', () => {
    const counts = documentOf({ ...INITIAL, algorithm: 'cp-apr', reuse: 'best' });
    expect(counts.parameters).not.toHaveProperty('reuse');
    expect(documentOf({ ...INITIAL, reuse: 'best' }).parameters).toHaveProperty('reuse', 'best');
  });

  it('is compared with other programs where the algorithm is theirs', () => {
    const document = documentOf({ ...INITIAL, opponents: ['pyttb'] });
    expect(document.run).toEqual({ baselines: ['pyttb'] });
    expect(definitionOf(document).opponents).toEqual(['pyttb']);
    expect(documentOf({ ...INITIAL, algorithm: 'cp-opt', opponents: ['pyttb'] })).not.toHaveProperty('run');
  });

  it('reads shapes as people write them', () => {
    expect(shapeOf('60, 80, 100')).toEqual([60, 80, 100]);
    expect(shapeOf('60 x 80 × 100')).toEqual([60, 80, 100]);
    for (const wrong of ['', '60', '60, 0', '60, a', '1,1,1,1,1,1,1,1,1,1']) expect(shapeOf(wrong)).toBeNull();
  });
});

it('says each decomposition of the example browser in its fields', () => {
  for (const { title, address } of DECOMPOSITIONS) {
    const document = documentAt(address.slice(address.indexOf('#')));
    if (document === null) throw new Error(`${title} has no document`);
    const definition = definitionOf(document);
    expect(title.toLowerCase()).toContain(definition.algorithm);
    expect(definition.tensor).toBe(INITIAL.tensor);
    expect(documentOf(definition)).toEqual(document);
  }
  expect(DECOMPOSITIONS).toHaveLength(Object.keys(ALGORITHMS).length);
});
