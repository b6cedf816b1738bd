import { expect, it } from 'vitest';
import type { BaselineView } from '../../api/types';
import { withBaseline } from './baseline-choice';

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
