/** Which tensor and which data pictures of storage show: that of the runs, or the whole input that the plan names. */
import type { StorageRequest, TensorView, TraceView } from '../../api/types';
import type { InputSpec } from '../../plan/plan';

type Given = NonNullable<StorageRequest['entries']>;

/** Entries that a request may hold. */
const MOST_ENTRIES = 4096;

/**
 * What `tensor` holds in the run that the other pictures show; its result at the end. Null where there is no run of it:
 * the service then shows the example of that order.
 */
export function tracedEntries(trace: TraceView | null, { name, order }: TensorView): Given | null {
  const stored = trace?.tensors.find(({ tensor }) => tensor === name);
  const values = stored?.arrays[`${name}_vals`];
  if (trace?.ok !== true || stored === undefined || values === undefined || stored.shape.length !== order) return null;
  const entries = stored.coordinates.flatMap((at, position) => {
    const value = values[position];
    return typeof value === 'number' && value !== 0 ? [{ at, value }] : [];
  });
  if (entries.length !== stored.nonzeros || entries.length > MOST_ENTRIES) return null;
  return {
    shape: [...stored.shape],
    coordinates: entries.map(({ at }) => [...at]),
    values: entries.map(({ value }) => value),
  };
}

/** The picture of `input`, else of `entries`, else of the example. */
export function storageRequest(
  format: string | undefined,
  tensor: TensorView,
  input: InputSpec | null,
  entries: Given | null,
): StorageRequest {
  const written = format?.trim() ?? '';
  return {
    tensor: tensor.name,
    order: tensor.order,
    format: written === '' ? 'dense' : written,
    dtype: tensor.dtype as StorageRequest['dtype'],
    input,
    ...(input === null && entries !== null ? { entries } : {}),
  };
}

/** The tensor that was asked for; else the first operand that is not dense, since there is most to see. */
export function storedTensor(tensors: readonly TensorView[], asked: string): TensorView | undefined {
  return (
    tensors.find(({ name }) => name === asked) ??
    tensors.find(({ result, levels }) => !result && levels.some(({ kind }) => kind !== 'dense')) ??
    tensors.find(({ result }) => !result) ??
    tensors[0]
  );
}
