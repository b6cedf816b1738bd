import { describe, expect, it } from 'vitest';
import type { DatasetView, TensorView } from '../../api/types';
import { EMPTY_DRAFT } from '../../plan/plan';
import type { Draft } from '../../plan/plan';
import { conflictsOf, costOf, filledSizes, gapsOf, proposedSizes } from './gaps';

const tensor = (name: string, ...dimensions: readonly string[]): TensorView =>
  ({ name, dimensions, dtype: 'float64', result: name === 'A' }) as unknown as TensorView;
const MTTKRP: Draft = { ...EMPTY_DRAFT, expression: 'A(i,r) = X(i,j,k) * B(j,r) * C(k,r)' };
const TENSORS = [tensor('A', 'i', 'r'), tensor('X', 'i', 'j', 'k'), tensor('B', 'j', 'r'), tensor('C', 'k', 'r')];
const DATASETS = [{ id: 'cube', shape: [5, 6, 7] }] as unknown as DatasetView[];
const STRIDED: Draft = {
  ...EMPTY_DRAFT,
  language: 'comprehension',
  expression: 'def sconv(int sh, float(N,4,H) I, float(M,4,KH) W) -> (O) { O(n,m,h) +=! I(n,c,sh*h+kh) * W(m,c,kh) }',
};

describe('the sizes that no input says', () => {
  it('are all of them at once, in the order in which they are written', () => {
    expect(gapsOf(MTTKRP, TENSORS, []).map(({ name, value }) => [name, value])).toEqual([
      ['i', null],
      ['j', null],
      ['k', null],
      ['r', null],
    ]);
  });

  it('are those that no file, generator or shape has', () => {
    const names = (draft: Draft) => gapsOf(draft, TENSORS, DATASETS).map(({ name }) => name);
    expect(names({ ...MTTKRP, inputs: { X: { dataset: 'cube' } } })).toEqual(['r']);
    expect(names({ ...MTTKRP, inputs: { X: { upload: 'not known yet' } } })).toEqual(['r']);
    expect(names({ ...MTTKRP, inputs: { B: { generator: 'dense', shape: [4, 3] } } })).toEqual(['i', 'k']);
    expect(names({ ...MTTKRP, tensors: { X: { shape: [4, 3, 2] } } })).toEqual(['r']);
  });

  it('are those of an input where the plan says another one', () => {
    const draft: Draft = { ...MTTKRP, sizes: { i: 128, j: 6, r: 16 }, inputs: { X: { dataset: 'cube' } } };
    expect(conflictsOf(draft, TENSORS, DATASETS)).toEqual([{ name: 'i', fixed: 128, known: 5 }]);
  });

  it('are read from the parameters of a comprehension, with its integers', () => {
    const gaps = gapsOf({ ...STRIDED, sizes: { sh: 2 } }, [], []);
    expect(gaps.map(({ name, kind, value }) => [name, kind, value])).toEqual([
      ['N', 'size', null],
      ['H', 'size', null],
      ['M', 'size', null],
      ['KH', 'size', null],
      ['sh', 'integer', 2],
    ]);
    expect(filledSizes({ ...STRIDED, sizes: { sh: 2 } }, gaps)).toEqual({ N: 128, H: 128, M: 128, KH: 3, sh: 2 });
  });

  it.each([
    [['i', 'j', 'k', 'r'], { i: 128, j: 128, k: 128, r: 16 }],
    [['N', 'M', 'K'], { N: 256, M: 256, K: 256 }],
    [['b', 'n', 'm', 'k'], { b: 64, n: 64, m: 64, k: 64 }],
    [['N', 'C', 'H', 'W', 'M', 'KH', 'KW'], { N: 16, C: 16, H: 16, W: 16, M: 16, KH: 3, KW: 3 }],
  ])('get numbers that the reference can do: %s', (names, sizes) => expect(proposedSizes(names)).toEqual(sizes));

  it('cost what they cost', () => {
    expect(costOf(MTTKRP, gapsOf(MTTKRP, TENSORS, []), TENSORS, [])).toEqual({
      bytes: 8 * (128 ** 3 + 2 * 128 * 16),
      steps: 128 ** 3 * 16,
    });
  });
});
