/** The dense grid of a small tensor: one matrix, or one slice for each choice of the leading coordinates. */
import type { StoredTensorView } from '../../api/types';
import { cellKey } from './keys';
import { shortNumber } from './tree';

/** Slices of a tensor of high order that are drawn. */
export const MAX_SLICES = 27;

export interface GridCell {
  readonly key: string;
  readonly coordinates: readonly number[];
  /** Null: nothing is stored for the cell. `entry` false: padding. */
  readonly stored: {
    readonly text: string;
    readonly value: string;
    readonly entry: boolean;
    readonly position: number;
  } | null;
}

export interface GridSlice {
  /** The coordinates of the leading dimensions. */
  readonly at: readonly number[];
  readonly rows: readonly (readonly GridCell[])[];
}

export interface Grid {
  readonly slices: readonly GridSlice[];
  /** All slices, those that are not drawn included. */
  readonly count: number;
}

export function gridOf(tensor: StoredTensorView): Grid {
  const { shape } = tensor;
  const stored = new Map<string, NonNullable<GridCell['stored']>>();
  for (const leaf of tensor.leaves) {
    const key = cellKey(leaf.coordinates);
    if (leaf.entry || !stored.has(key)) {
      const value = String(leaf.value);
      stored.set(key, { text: shortNumber(leaf.value), value, entry: leaf.entry, position: leaf.position });
    }
  }
  const cell = (coordinates: readonly number[]): GridCell => {
    const key = cellKey(coordinates);
    return { key, coordinates, stored: stored.get(key) ?? null };
  };
  const [rows, columns] = shape.length === 0 ? [1, 1] : shape.length === 1 ? [1, shape[0] ?? 0] : shape.slice(-2);
  const leading = shape.slice(0, -2);
  const count = leading.reduce((product, size) => product * size, 1);
  const slices = range(Math.min(count, MAX_SLICES)).map((number) => {
    const at = unravel(number, leading);
    return {
      at,
      rows: range(rows ?? 0).map((row) =>
        range(columns ?? 0).map((column) => cell([...at, row, column].slice(2 - Math.min(shape.length, 2)))),
      ),
    };
  });
  return { slices, count };
}

const range = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

function unravel(number: number, sizes: readonly number[]): number[] {
  let rest = number;
  return sizes
    .toReversed()
    .map((size) => {
      const coordinate = rest % size;
      rest = Math.floor(rest / size);
      return coordinate;
    })
    .toReversed();
}
