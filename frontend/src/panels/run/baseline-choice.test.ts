import { expect, it } from 'vitest';
import type { BaselineView, TensorView } from '../../api/types';
import { comparedWith, lackOfBaseline, withBaseline } from './baseline-choice';

const OFFERED: BaselineView[] = ['scipy', 'mkl', 'cusparse'].map((name) => ({
  name,
  title: name,
  computes: '',
  resource: name === 'cusparse' ? 'gpu' : 'cpu',
  missing: null,
}));

it('keeps baselines in the order in which they are offered, whatever the order of choosing', () => {
  expect(withBaseline(['mkl'], 'scipy', true, OFFERED)).toEqual(['scipy', 'mkl']);
  expect(withBaseline(['scipy', 'mkl'], 'scipy', false, OFFERED)).toEqual(['mkl']);
  expect(withBaseline(['cusparse'], 'mkl', true, OFFERED)).toEqual(['mkl', 'cusparse']);
  expect(withBaseline(['mkl'], 'mkl', true, OFFERED)).toEqual(['mkl']);
});

it('keeps a baseline that this service does not offer', () => {
  expect(withBaseline(['eigen', 'mkl'], 'scipy', true, OFFERED)).toEqual(['scipy', 'mkl', 'eigen']);
});

const stored = (name: string, ...kinds: string[]): TensorView => ({
  name,
  order: kinds.length,
  dimensions: [],
  dtype: 'float64',
  format: '',
  levels: kinds.map((kind) => ({ kind }) as TensorView['levels'][number]),
  result: name === 'y',
});

it('says that NumPy takes the place of SciPy where all operands are dense and nothing else was chosen', () => {
  const [result, vector] = [stored('y', 'dense'), stored('x', 'dense')];
  const dense = [result, stored('A', 'dense', 'dense'), vector];
  expect(comparedWith(['scipy', 'mkl'], dense, 'c')).toEqual(['numpy', 'mkl']);
  expect(comparedWith(['scipy', 'mkl'], [result, stored('A', 'dense', 'compressed'), vector], 'c')).toEqual([
    'scipy',
    'mkl',
  ]);
  expect(comparedWith(['scipy', 'mkl'], [stored('y', 'compressed'), vector], 'c')).toEqual(['numpy', 'mkl']);
  expect(comparedWith(['scipy'], dense, 'c')).toEqual(['scipy']);
  expect(comparedWith(['scipy', 'mkl'], [result], 'c')).toEqual(['scipy', 'mkl']);
  const array = { ...stored('A'), order: 2 };
  expect(comparedWith(['scipy', 'mkl'], [array], 'c')).toEqual(['scipy', 'mkl']);
  expect(comparedWith(['scipy', 'mkl'], [], 'c')).toEqual(['scipy', 'mkl']);
});

it('compares a kernel for a GPU with nothing that runs on the processor, unless somebody asks for it', () => {
  const sparse = [stored('y', 'dense'), stored('A', 'dense', 'compressed')];
  expect(comparedWith(['scipy', 'mkl'], sparse, 'opencl')).toEqual([]);
  expect(comparedWith(['scipy', 'mkl'], sparse, 'cuda')).toEqual(['cusparse']);
  const both = withBaseline(['scipy'], 'mkl', true, OFFERED, []);
  expect(both).toEqual(['mkl', 'scipy']);
  expect(comparedWith(both, sparse, 'opencl')).toEqual(both);
  expect(withBaseline(['scipy'], 'mkl', true, OFFERED)).toEqual(['scipy', 'mkl']);
});

it('says before a run what no machine here has', () => {
  const here = { targets: ['c', 'opencl'], obstacle: null };
  const cusparse = { resource: 'gpu', missing: null };
  const torch = { resource: 'cpu', missing: 'not installed' };
  expect(lackOfBaseline(cusparse, [here])).toBe('no GPU');
  expect(lackOfBaseline(cusparse, [here, { ...here, targets: ['cuda'] }])).toBeNull();
  expect(lackOfBaseline(torch, [here])).toBe('not installed');
  // Another machine may have it, and nothing is known before one answers.
  expect(lackOfBaseline(torch, [here, here])).toBeNull();
  expect(lackOfBaseline(cusparse, null)).toBeNull();
});
