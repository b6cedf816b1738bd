/** Which data the picture shows: the running example, or the input that the plan names. */
import type { DatasetView, StorageRequest, TensorView } from '../../api/types';
import type { Draft, InputSpec } from '../../plan/plan';

export type Source = 'example' | 'input';

/** Inputs up to this many nonzeros are shown without being asked for. */
export const SMALL = 512;

/** The input of `tensor` as the service can make it on its own: a generator needs its shape. */
export function inputOf(draft: Draft, tensor: TensorView): InputSpec | null {
  const input = draft.inputs[tensor.name];
  if (tensor.result || input === undefined) return null;
  if (typeof input.generator !== 'string' || input.shape !== undefined) return input;
  const shape = draft.tensors[tensor.name]?.shape;
  return shape === undefined ? null : { ...input, shape };
}

export function inputTitle(input: InputSpec, datasets: readonly DatasetView[]): string {
  if (typeof input.generator === 'string') return `${input.generator} (generator)`;
  const id = input.dataset ?? input.upload;
  return datasets.find((dataset) => dataset.id === id)?.name ?? String(id);
}

export function defaultSource(input: InputSpec | null, datasets: readonly DatasetView[]): Source {
  if (input === null) return 'example';
  const nnz = input.nnz ?? datasets.find(({ id }) => id === (input.dataset ?? input.upload))?.nnz;
  return typeof nnz === 'number' && nnz <= SMALL ? 'input' : 'example';
}

export function storageRequest(draft: Draft, tensor: TensorView, source: Source): StorageRequest {
  const written = draft.tensors[tensor.name]?.format?.trim() ?? '';
  const input = source === 'input' ? inputOf(draft, tensor) : null;
  return {
    tensor: tensor.name,
    order: tensor.order,
    format: written === '' ? 'dense' : written,
    dtype: tensor.dtype as StorageRequest['dtype'],
    input,
  };
}
