/** Small operands at which the tiles of a schedule show, and which can still be followed step by step. */
import type { CompileView, Operands, TensorView } from '../../api/types';
import { randomNumbers, shuffled } from './samples';
import { needsNothing, tileNeeds } from './tile-needs';
import type { TileNeeds } from './tile-needs';

/** Elements of one tensor that the service traces. */
const MOST_ELEMENTS = 4096;
/** Points that a run may compute: each is several steps, of which the service follows twenty thousand. */
const MOST_POINTS = 1400;
/** Coordinates of a dimension that is not cut, by the order of the tensor: a picture of one column shows little. */
const usualSize = (order: number): number => (order <= 2 ? 12 : 6);

export interface TileSized {
  readonly operands: Operands;
  /** The tensor that the sizes are told of, and its shape. */
  readonly tensor: string;
  readonly shape: readonly number[];
}

/** Null where the schedule cuts nothing, or into tiles too large to be followed. */
export function tileSized(result: CompileView): TileSized | null {
  const needs = tileNeeds(result);
  const operands = result.tensors.filter(({ result: written, order }) => !written && order > 0);
  const main = operands.find((tensor) => !isDense(tensor)) ?? operands[0];
  if (needsNothing(needs) || main === undefined) return null;
  const sizes = sizesFor(result, main, needs);
  const shapeOf = (tensor: TensorView): number[] => tensor.dimensions.map((variable) => sizes.get(variable) ?? 1);
  const nonzeros = nonzerosOf(main, shapeOf(main), needs);
  const around = [...sizes].filter(([variable]) => !main.dimensions.includes(variable)).map(([, size]) => size);
  if (result.tensors.some((tensor) => product(shapeOf(tensor)) > MOST_ELEMENTS)) return null;
  if (nonzeros * product(around) > MOST_POINTS) return null;
  const made = operands.map((tensor, place) => {
    const shape = shapeOf(tensor);
    const count = isDense(tensor) ? product(shape) : tensor === main ? nonzeros : Math.ceil(product(shape) / 3);
    return [tensor.name, nested(shape, entries(shape, count, needs.segments.get(tensor.name) ?? 0, place))] as const;
  });
  return { operands: Object.fromEntries(made), tensor: main.name, shape: shapeOf(main) };
}

const isDense = ({ levels }: TensorView): boolean => levels.every(({ kind }) => kind === 'dense');
const product = (numbers: readonly number[]): number => numbers.reduce((all, one) => all * one, 1);

/** Index variables of the expression to sizes. */
function sizesFor(result: CompileView, main: TensorView, needs: TileNeeds): Map<string, number> {
  const sizes = new Map<string, number>();
  for (const { name, underived } of result.variables)
    if (underived)
      sizes.set(
        name,
        Math.max(needs.coordinates.get(name) ?? 0, main.dimensions.includes(name) ? usualSize(main.order) : 4),
      );
  const grow = (variables: readonly string[], extent: number): void => {
    let missing = extent;
    variables.forEach((variable, place) => {
      const left = variables.length - place;
      const size = Math.max(sizes.get(variable) ?? 1, Math.ceil(missing ** (1 / left)));
      sizes.set(variable, size);
      missing = Math.ceil(missing / size);
    });
  };
  for (const { variables, extent } of needs.products) grow(variables, extent);
  for (const { name, dimensions } of result.tensors) {
    const stored = needs.nonzeros.get(name);
    // A third of the coordinates holds a nonzero, so that the picture has gaps.
    if (stored !== undefined) grow(dimensions, dimensions.length === 1 ? 2 * stored : 3 * stored);
    const longest = needs.segments.get(name);
    const last = dimensions.at(-1);
    if (longest !== undefined && last !== undefined) sizes.set(last, Math.max(sizes.get(last) ?? 1, longest + 2));
  }
  return sizes;
}

function nonzerosOf(main: TensorView, shape: readonly number[], needs: TileNeeds): number {
  if (isDense(main)) return product(shape);
  const asked = needs.nonzeros.get(main.name) ?? 0;
  // About three in each row, and half of the coordinates at most.
  const usual = Math.min(3 * product(shape.slice(0, -1)), Math.ceil(product(shape) / 2));
  return Math.max(asked, asked > 0 ? 0 : usual) + (needs.segments.get(main.name) ?? 0);
}

/** Values by position in row-major order; the first row holds `longest` of them. */
function entries(shape: readonly number[], count: number, longest: number, seed: number): ReadonlyMap<number, number> {
  const next = randomNumbers(31 + seed);
  const places = shuffled(product(shape), next);
  const row = Array.from({ length: longest }, (_, place) => place);
  const chosen = [...new Set([...row, ...places])].slice(0, count);
  return new Map(chosen.map((place) => [place, 1 + Math.floor(next() * 9)]));
}

function nested(shape: readonly number[], values: ReadonlyMap<number, number>, start = 0): readonly unknown[] {
  const [size = 0, ...rest] = shape;
  const step = product(rest);
  return Array.from({ length: size }, (_, at) =>
    rest.length === 0 ? (values.get(start + at) ?? 0) : nested(rest, values, start + at * step),
  );
}
