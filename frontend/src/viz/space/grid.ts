/** A tensor of the trace as grids: a vector is one row, a matrix one grid, order 3 and more one grid for each slice. */
import type { CompileView, TraceTensorView, TraceView } from '../../api/types';

export interface Cell {
  readonly row: number;
  readonly column: number;
  /** Where the value lies in `vals`. */
  readonly position: number;
  readonly value: number | boolean | string | null;
}

export interface Slice {
  /** Coordinates in the dimensions before the last two; empty for a matrix. */
  readonly at: readonly number[];
  readonly cells: readonly Cell[];
}

export interface Grid {
  readonly tensor: string;
  readonly origin: TraceTensorView['origin'];
  /** The index variable of each dimension. */
  readonly variables: readonly string[];
  readonly shape: readonly number[];
  readonly rows: number;
  readonly columns: number;
  /** Null for a vector, whose one row has no variable. */
  readonly rowVariable: string | null;
  readonly columnVariable: string;
  readonly slices: readonly Slice[];
  /** Stored values that are not zero. */
  readonly nonzeros: number;
}

/** Slices that are drawn; further ones are counted, not drawn. */
export const MAX_SLICES = 16;

/** The operands that can be drawn, the one that says most first: sparse before dense, matrices before vectors. */
export function gridTensors(result: CompileView, trace: TraceView): string[] {
  const weight = ({ order, levels }: CompileView['tensors'][number]): number =>
    (order >= 2 ? 2 : 0) + (levels.some(({ kind }) => kind !== 'dense') ? 4 : 0);
  return result.tensors
    .filter(({ name, order, result: written }) => !written && order > 0 && trace.tensors.some((t) => t.tensor === name))
    .sort((one, other) => weight(other) - weight(one))
    .map(({ name }) => name);
}

export function gridOf(result: CompileView, trace: TraceView, tensor: string): Grid | null {
  const shown = trace.tensors.find((one) => one.tensor === tensor);
  const variables = result.tensors.find(({ name }) => name === tensor)?.dimensions;
  if (shown === undefined || variables === undefined || variables.length === 0) return null;
  if (shown.shape.length !== variables.length) return null; // A trace of the plan before this one.
  const order = variables.length;
  const outer = shown.shape.slice(0, Math.max(order - 2, 0));
  const slices = indices(outer).map((at) => ({ at, cells: [] as Cell[] }));
  const values = shown.arrays[`${tensor}_vals`] ?? [];
  shown.coordinates.forEach((coordinates, position) => {
    const slice = slices[flat(coordinates.slice(0, outer.length), outer)];
    const value = values[position] ?? null;
    if (slice === undefined || !isNonzero(value)) return;
    slice.cells.push({
      row: order === 1 ? 0 : (coordinates[order - 2] ?? 0),
      column: coordinates[order - 1] ?? 0,
      position,
      value,
    });
  });
  return {
    tensor,
    origin: shown.origin,
    variables,
    shape: shown.shape,
    rows: order === 1 ? 1 : (shown.shape[order - 2] ?? 0),
    columns: shown.shape[order - 1] ?? 0,
    rowVariable: order === 1 ? null : (variables[order - 2] ?? null),
    columnVariable: variables[order - 1] ?? '',
    slices,
    nonzeros: slices.reduce((sum, { cells }) => sum + cells.length, 0),
  };
}

/** In which slice and cell a point of the iteration space lies; null while a variable of the tensor is not known. */
export function placeOf(
  grid: Grid,
  point: Readonly<Record<string, number>>,
): { readonly slice: number; readonly row: number; readonly column: number } | null {
  const at = grid.variables.map((variable) => point[variable]);
  if (at.some((coordinate) => coordinate === undefined)) return null;
  const known = at as number[];
  const order = known.length;
  return {
    slice: flat(known.slice(0, Math.max(order - 2, 0)), grid.shape),
    row: order === 1 ? 0 : (known[order - 2] ?? 0),
    column: known[order - 1] ?? 0,
  };
}

const isNonzero = (value: Cell['value']): boolean => value !== 0 && value !== false && value !== null;

function flat(at: readonly number[], shape: readonly number[]): number {
  return at.reduce((sum, coordinate, dimension) => sum * (shape[dimension] ?? 1) + coordinate, 0);
}

function indices(shape: readonly number[]): number[][] {
  return shape.reduce<number[][]>(
    (found, size) => found.flatMap((at) => Array.from({ length: size }, (_, index) => [...at, index])),
    [[]],
  );
}
