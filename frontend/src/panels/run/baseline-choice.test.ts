import { expect, it } from 'vitest';
import type { BaselineView, TensorView } from '../../api/types';
import { comparedWith, withBaseline } from './baseline-choice';

const OFFERED: BaselineView[] = ['scipy', 'mkl', 'cusparse'].map((name) => ({ name, title: name, computes: '' }));

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
  expect(comparedWith(['scipy', 'mkl'], dense)).toEqual(['numpy', 'mkl']);
  expect(comparedWith(['scipy', 'mkl'], [result, stored('A', 'dense', 'compressed'), vector])).toEqual([
    'scipy',
    'mkl',
  ]);
  expect(comparedWith(['scipy', 'mkl'], [stored('y', 'compressed'), vector])).toEqual(['numpy', 'mkl']);
  expect(comparedWith(['scipy'], dense)).toEqual(['scipy']);
  expect(comparedWith(['scipy', 'mkl'], [result])).toEqual(['scipy', 'mkl']);
  const array = { ...stored('A'), order: 2 };
  expect(comparedWith(['scipy', 'mkl'], [array])).toEqual(['scipy', 'mkl']);
  expect(comparedWith(['scipy', 'mkl'], [])).toEqual(['scipy', 'mkl']);
});
