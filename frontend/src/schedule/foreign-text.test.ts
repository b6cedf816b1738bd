import { describe, expect, it } from 'vitest';
import { isForeign } from './foreign-text';

describe('a text from another program', () => {
  it.each([
    `taco "y(i) = A(i,j) * x(j)" -f=A:ds`,
    `$ ./bin/taco 'a = b(i)'`,
    `-f=A:ds -s="split(i,i0,i1,32)"`,
    'stmt = stmt.split(i, i0, i1, 32);',
    '.split(i, i0, i1, 32)\n.reorder({i0, i1, j})',
    'parallelize(i0, ParallelUnit::CPUThread, OutputRaceStrategy::NoRaces)',
    'IndexVar i("i"), j("j");',
    'Tensor<double> y({N}, dense); y(i) = A(i,j) * x(j);',
  ])('is %s', (text) => expect(isForeign(text)).toBe(true));

  it.each([
    'y(i) = A(i,j) * x(j)',
    'split(i, i0, i1, 32)\n# taco would start elsewhere\nparallelize(i0, CPUThread, NoRaces)',
    'split(i,i0,i1,32),reorder(i0,i1,j)',
    'y(i) = 2.5 * A(i,j) * (x(j) + 0.5)',
    'precompute(A(i,j) * x(j), j, jw, w)',
    'taco',
  ])('is not %s', (text) => expect(isForeign(text)).toBe(false));
});
