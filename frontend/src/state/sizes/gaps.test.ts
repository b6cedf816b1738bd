import { describe, expect, it } from 'vitest';
import type { DatasetView, PatternsView, TensorView } from '../../api/types';
import { EMPTY_DRAFT } from '../../plan/plan';
import type { Draft } from '../../plan/plan';
import { conflictsOf, costOf, filledSizes, gapsOf, proposedShape, proposedSizes } from './gaps';
import { disagreementsOf, operandsOf, resized, statementsOf } from './operands';
import type { Compiled } from './operands';

const tensor = (name: string, ...dimensions: readonly string[]): TensorView =>
  ({ name, dimensions, dtype: 'float64', result: name === 'A' }) as unknown as TensorView;
const MTTKRP: Draft = { ...EMPTY_DRAFT, expression: 'A(i,r) = X(i,j,k) * B(j,r) * C(k,r)' };
const TENSORS: Compiled = {
  tensors: [tensor('A', 'i', 'r'), tensor('X', 'i', 'j', 'k'), tensor('B', 'j', 'r'), tensor('C', 'k', 'r')],
  patterns: null,
};
const NOTHING: Compiled = { tensors: [], patterns: null };
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
    const gaps = gapsOf({ ...STRIDED, sizes: { sh: 2 } }, NOTHING, []);
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
    [['N', 'C', 'H', 'W', 'M', 'KH', 'KW'], { N: 16, C: 16, H: 16, W: 16, M: 16, KH: 3, KW: 3 }, ['KH', 'KW']],
  ])('get numbers that the reference can do: %s', (names, sizes, windows: string[] = []) =>
    expect(proposedSizes(names, 1, windows)).toEqual(sizes),
  );

  it('are smaller beside a large input, and count what a sparse one stores', () => {
    const datasets = [{ id: 'matrix', shape: [4096, 4096], nnz: 65_536 }] as unknown as DatasetView[];
    const spmm = { tensors: [tensor('X', 'i', 'j'), tensor('B', 'j', 'k')], patterns: null };
    const draft: Draft = { ...MTTKRP, expression: 'A(i,k) = X(i,j) * B(j,k)', inputs: { X: { dataset: 'matrix' } } };
    const proposed = (over: Draft) => gapsOf(over, spmm, datasets).map((gap) => gap.proposed);
    const sparse = { ...draft, tensors: { X: { format: 'csr' } } };
    expect([proposed(draft), proposed(sparse)]).toEqual([[8], [256]]);
    expect(costOf(sparse, gapsOf(sparse, spmm, datasets), spmm, datasets)).toEqual({
      bytes: 12 * 65_536 + 8 * 4096 * 256,
      steps: 65_536 * 256,
    });
  });

  it('are smaller where the program has further loops', () => {
    const text =
      'def maxpool(float(B,C,H,W) x) -> (y) { y(b,c,i,j) max=! x(b,c,2*i + k,2*j + l) where k in 0:2, l in 0:2 }';
    const draft: Draft = { ...STRIDED, expression: text };
    const gaps = gapsOf(draft, NOTHING, []);
    expect(gaps.map((gap) => gap.proposed)).toEqual([32, 32, 32, 32]);
    expect(costOf(draft, gaps, NOTHING, []).steps).toBe(4 * 32 ** 4);
  });

  it('cost what they cost', () => {
    expect(costOf(MTTKRP, gapsOf(MTTKRP, TENSORS, []), TENSORS, [])).toEqual({
      bytes: 8 * (128 ** 3 + 2 * 128 * 16),
      steps: 128 ** 3 * 16,
    });
  });
});

type Argument = PatternsView['arguments'][number];

const argument = (parameter: string, sizes: readonly string[], records: Argument['records'], proposed = parameter) =>
  ({ parameter, argument: null, proposed, made: false, sizes, records, bytes: 8 }) as unknown as Argument;
const term = (coefficient: number, ...sizes: readonly string[]) => ({ coefficient, sizes: [...sizes] });
const compiledPatterns = (
  tensors: readonly TensorView[],
  args: readonly Argument[],
  sizes: readonly string[],
  integers: readonly string[] = [],
): Compiled => ({ tensors, patterns: { sizes, integers, arguments: args } as unknown as PatternsView });

describe('the sizes of a program of patterns', () => {
  const draft: Draft = {
    ...EMPTY_DRAFT,
    language: 'patterns',
    expression: 'nFun(n => fun(L: [i -> [double]_{i+1}]_n => fun(xs: [double]_n => L)))',
  };
  const triangle = compiledPatterns(
    [tensor('L', 'L elements'), tensor('xs', 'n')],
    [argument('L', ['n'], [term(0.5, 'n', 'n'), term(0.5, 'n')]), argument('xs', ['n'], [term(1, 'n')])],
    ['n'],
  );

  it('are fields, and cost what rows of different lengths do', () => {
    const gaps = gapsOf(draft, triangle, []);
    expect(gaps).toEqual([{ name: 'n', kind: 'size', value: null, proposed: 256 }]);
    expect(costOf(draft, gaps, triangle, [])).toEqual({ bytes: 8 * (32_896 + 256), steps: 32_896 });
    expect(proposedShape(draft, triangle, [], 'L')).toEqual([32_896]);
  });

  it('are told by one input, of an array as a whole too', () => {
    const names = (inputs: Draft['inputs']) => gapsOf({ ...draft, inputs }, triangle, []).map(({ name }) => name);
    expect(names({ xs: { generator: 'dense', shape: [2000] } })).toEqual([]);
    expect(names({ L: { generator: 'dense', shape: [32_896] } })).toEqual([]);
    expect(names({ xs: { generator: 'dense' } })).toEqual(['n']);
    const inputs = { xs: { generator: 'dense', shape: [4] } };
    expect(proposedShape({ ...draft, inputs }, triangle, [], 'L')).toEqual([10]);
  });

  it('say the integers with them', () => {
    const counted = compiledPatterns([tensor('xs', 'n')], [argument('xs', ['n'], [term(1, 'n')])], ['n'], ['k']);
    expect(
      gapsOf({ ...draft, sizes: { k: 3 } }, counted, []).map(({ name, kind, value }) => [name, kind, value]),
    ).toEqual([
      ['n', 'size', null],
      ['k', 'integer', 3],
    ]);
  });

  it('are not asked for while offsets want a matrix, which tells them', () => {
    const rows = compiledPatterns(
      [tensor('offset', 'n + 1'), tensor('xs', 'm')],
      [argument('offset', ['n'], [term(1, 'n'), term(1)], 'A.pos'), argument('xs', ['m'], [term(1, 'm')])],
      ['n', 'm'],
    );
    const csr = { ...draft, expression: 'nFun(n => nFun(m => fun(offset:[int]_{n+1} => fun(xs:[double]_m => xs))))' };
    expect(gapsOf(csr, rows, [])).toEqual([]);
  });
});

describe('two inputs that disagree about a size', () => {
  const inputs: Draft['inputs'] = { X: { dataset: 'cube' }, B: { generator: 'dense', shape: [9, 4] } };
  const draft: Draft = { ...MTTKRP, inputs, tensors: { C: { shape: [7, 3] } } };
  const disagreements = disagreementsOf(statementsOf(draft, operandsOf(draft, TENSORS), DATASETS));

  it('are both named', () => {
    expect(disagreements.map(({ first, second }) => [first.by, first.size, second.by, second.size])).toEqual([
      ['X', 6, 'B', 9],
      ['B', 4, 'C', 3],
    ]);
  });

  it('agree at one press', () => {
    const [rows, rank] = disagreements;
    expect(rows && resized(draft, rows.second, rows.first.size)).toMatchObject({ inputs: { B: { shape: [6, 4] } } });
    expect(rank && resized(draft, rank.second, rank.first.size)).toEqual({ kind: 'shape', tensor: 'C', shape: [7, 4] });
  });

  it('leave the size of the first to whoever asks for one', () => {
    expect(conflictsOf({ ...draft, sizes: { r: 3 } }, TENSORS, DATASETS)).toEqual([{ name: 'r', fixed: 3, known: 4 }]);
  });
});
