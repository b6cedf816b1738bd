import { expect, it } from 'vitest';
import type { GeneratorView, PatternsView, TensorView } from '../../../api/types';
import { EMPTY_DRAFT } from '../../../plan/plan';
import type { Draft } from '../../../plan/plan';
import { withMatrices, withoutTold } from './matrices';

const DRAFT: Draft = {
  ...EMPTY_DRAFT,
  language: 'patterns',
  expression: 'nFun(n => nFun(m => fun(vals: [i -> [float]_n]_n => fun(xs: [float]_m => xs))))',
  arguments: { vals: 'A.vals' },
  inputs: { xs: { generator: 'dense', shape: [2000] } },
  sizes: { n: 256, k: 3 },
};
const parameter = (name: string, sizes: readonly string[]) =>
  ({ parameter: name, argument: null, proposed: name, made: false, sizes, records: null, bytes: 4 }) as const;
const PATTERNS = {
  sizes: ['n', 'm', 'k'],
  integers: [],
  dimensions: { A: ['n', 'm'] },
  arguments: [parameter('vals', ['n']), parameter('xs', ['m'])],
} as unknown as PatternsView;
const COMPILED = { tensors: [{ name: 'xs', dimensions: ['m'] } as unknown as TensorView], patterns: PATTERNS };
const UNIFORM = { name: 'uniform', parameters: [{ name: 'nnz', default: 65_536 }] } as unknown as GeneratorView;

it('gives the matrix of arguments entries in the size that other inputs say', () => {
  const inputs = withMatrices(DRAFT, COMPILED, { datasets: [], generators: [UNIFORM] });
  expect(inputs).toEqual({ ...DRAFT.inputs, A: { generator: 'uniform', shape: [4096, 2000], nnz: 65_536 } });
});

it('leaves the data that a matrix has', () => {
  const draft = { ...DRAFT, inputs: { A: { dataset: 'karate' } } };
  expect(withMatrices(draft, COMPILED, { datasets: [], generators: [UNIFORM] })).toEqual(draft.inputs);
});

it('takes the sizes of a matrix out of the plan, and no others', () => {
  expect(withoutTold(DRAFT, PATTERNS)).toEqual({ k: 3 });
});
