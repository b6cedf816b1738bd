import { describe, expect, it } from 'vitest';
import type { DatasetView, TensorView } from '../../../api/types';
import { sizeElsewhere, withInput } from './input-sizes';

const tensor = (name: string, ...dimensions: string[]): TensorView =>
  ({ name, dimensions, order: dimensions.length, result: name === 'A' }) as unknown as TensorView;
const TENSORS = [tensor('A', 'i', 'j'), tensor('B', 'i', 'k', 'l'), tensor('C', 'k', 'j'), tensor('D', 'l', 'j')];
const DATASETS = [{ id: 'med', shape: [2425, 10816, 17] } as unknown as DatasetView];
const dense = (...shape: number[]) => ({ generator: 'dense', shape, seed: 1 });

describe('sizes that inputs share', () => {
  it('takes those of a file for a generator that is chosen after it', () => {
    const inputs = withInput('C', dense(4096, 16), TENSORS, { B: { dataset: 'med' } }, DATASETS);
    expect(inputs.C).toEqual(dense(10816, 16));
  });

  it('takes those of a file for a generator that was chosen before it', () => {
    const inputs = withInput('B', { dataset: 'med' }, TENSORS, { C: dense(4096, 16), D: dense(9, 16) }, DATASETS);
    expect(inputs).toEqual({ B: { dataset: 'med' }, C: dense(10816, 16), D: dense(17, 16) });
  });

  it('gives a size that is changed in one generator to all others', () => {
    const inputs = withInput('C', dense(10816, 32), TENSORS, { C: dense(10816, 16), D: dense(17, 16) }, DATASETS);
    expect(inputs.D).toEqual(dense(17, 32));
  });

  it('lets a file win over a generator, and leaves what nobody knows as it is', () => {
    const inputs = withInput('C', dense(5, 6), TENSORS, { B: { dataset: 'med' }, D: { upload: 'unknown' } }, DATASETS);
    expect(inputs).toEqual({ B: { dataset: 'med' }, C: dense(10816, 6), D: { upload: 'unknown' } });
    expect(withInput('B', null, TENSORS, inputs, DATASETS)).toEqual({ C: dense(10816, 6), D: { upload: 'unknown' } });
  });

  it('says who gives a size', () => {
    const inputs = { B: { dataset: 'med' }, C: dense(10816, 16) };
    expect(sizeElsewhere('k', 'C', TENSORS, inputs, DATASETS)).toEqual({ size: 10816, by: 'B', fixed: true });
    expect(sizeElsewhere('j', 'D', TENSORS, inputs, DATASETS)).toEqual({ size: 16, by: 'C', fixed: false });
    expect(sizeElsewhere('j', 'C', TENSORS, inputs, DATASETS)).toBeNull();
  });
});
