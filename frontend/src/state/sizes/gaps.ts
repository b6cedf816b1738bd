/** Sizes and integers of an expression that no input says: each is a field, with a number with which a run verifies. */
import type { DatasetView, TensorView } from '../../api/types';
import { headerOf, integersOf } from '../../plan/header';
import type { Draft, InputSpec } from '../../plan/plan';

export interface Gap {
  readonly name: string;
  readonly kind: 'size' | 'integer';
  /** That of the plan; null where it says none. */
  readonly value: number | null;
  readonly proposed: number;
}

/** An operand with the names or numbers of its dimensions, and what one value takes. */
interface Operand {
  readonly name: string;
  readonly dimensions: readonly string[];
  readonly bytes: number;
}

const RANK = /^r(?:ank)?$/i;
const WINDOW = /^k[hw]$/i;
const [RANK_SIZE, WINDOW_SIZE, STRIDE] = [16, 3, 1];
const SQUARE_SIZES = [256, 128, 64, 32, 16, 8];
/** Steps that the reference of a run takes in about a second. */
const MOST_STEPS = 2 ** 25;

/** In the order in which they are written. `tensors` are those of the program that compiled last. */
export function gapsOf(draft: Draft, tensors: readonly TensorView[], datasets: readonly DatasetView[]): readonly Gap[] {
  const operands = operandsOf(draft, tensors);
  const known = knownSizes(draft, operands, datasets);
  const stored = operands.filter(({ name }) => isFile(draft, name)).flatMap(({ dimensions }) => dimensions);
  const names = [...new Set(operands.flatMap(({ dimensions }) => dimensions))].filter(
    (name) => !isNumber(name) && !known.has(name) && !stored.includes(name),
  );
  const proposals = proposedSizes(names);
  const sizes = names.map((name): Gap => ({
    name,
    kind: 'size',
    value: draft.sizes[name] ?? null,
    proposed: proposals[name] ?? 1,
  }));
  const header = draft.language === 'comprehension' ? headerOf(draft.expression) : null;
  const integers = header === null ? [] : integersOf(header);
  return [
    ...sizes,
    ...integers.map((name): Gap => ({ name, kind: 'integer', value: draft.sizes[name] ?? null, proposed: STRIDE })),
  ];
}

/** Sizes of the plan of which an input has another one, with that one. */
export function conflictsOf(
  draft: Draft,
  tensors: readonly TensorView[],
  datasets: readonly DatasetView[],
): readonly { readonly name: string; readonly fixed: number; readonly known: number }[] {
  const known = knownSizes(draft, operandsOf(draft, tensors), datasets);
  return Object.entries(draft.sizes).flatMap(([name, fixed]) => {
    const size = known.get(name);
    return size === undefined || size === fixed ? [] : [{ name, fixed, known: size }];
  });
}

/** The sizes of the plan with a number for every gap. */
export const filledSizes = (draft: Draft, gaps: readonly Gap[]): Draft['sizes'] => ({
  ...draft.sizes,
  ...Object.fromEntries(gaps.map(({ name, value, proposed }) => [name, value ?? proposed])),
});

/** What the program calls the sizes of a tensor's dimensions; a comprehension's are those of its parameter. */
export const sizeNames = (draft: Draft, tensor: TensorView): readonly string[] =>
  operandsOf(draft, [tensor]).find(({ name }) => name === tensor.name)?.dimensions ?? [];

/** What the dense operands take in memory, and the product of all sizes: the steps of one statement over all of them. */
export function costOf(
  draft: Draft,
  gaps: readonly Gap[],
  tensors: readonly TensorView[],
  datasets: readonly DatasetView[],
): { readonly bytes: number; readonly steps: number } {
  const operands = operandsOf(draft, tensors);
  const sizes = new Map([...Object.entries(filledSizes(draft, gaps)), ...knownSizes(draft, operands, datasets)]);
  const sizeOf = (name: string): number => (isNumber(name) ? Number(name) : (sizes.get(name) ?? 1));
  const named = new Set(operands.flatMap(({ dimensions }) => dimensions));
  return {
    bytes: operands.reduce(
      (sum, { dimensions, bytes }) => sum + dimensions.reduce((all, name) => all * sizeOf(name), bytes),
      0,
    ),
    steps: [...named].reduce((all, name) => all * sizeOf(name), 1),
  };
}

/** Square, and as large as the reference takes well. */
export function proposedSizes(names: readonly string[]): Readonly<Record<string, number>> {
  const special = (name: string): number | null =>
    RANK.test(name) ? RANK_SIZE : WINDOW.test(name) ? WINDOW_SIZE : null;
  const others = names.filter((name) => special(name) === null).length;
  const around = names.reduce((all, name) => all * (special(name) ?? 1), 1);
  const square = SQUARE_SIZES.find((size) => around * size ** others <= MOST_STEPS) ?? SQUARE_SIZES.at(-1) ?? 1;
  return Object.fromEntries(names.map((name) => [name, special(name) ?? square]));
}

function operandsOf(draft: Draft, tensors: readonly TensorView[]): readonly Operand[] {
  switch (draft.language) {
    case 'notation':
      return tensors
        .filter(({ name, result }) => !result && new RegExp(String.raw`(?<!\w)${name}(?!\w)`).test(draft.expression))
        .map(({ name, dimensions, dtype }) => ({ name, dimensions, bytes: bytesOf(dtype) }));
    case 'comprehension':
      return (headerOf(draft.expression)?.parameters ?? []).map(({ name, dimensions, scalar }) => ({
        name,
        dimensions,
        bytes: bytesOf(scalar),
      }));
    case 'patterns':
      return [];
    default:
      throw new Error(`unexpected language ${JSON.stringify(draft.language satisfies never)}`);
  }
}

function knownSizes(draft: Draft, operands: readonly Operand[], datasets: readonly DatasetView[]): Map<string, number> {
  const sizes = operands.flatMap(({ name, dimensions }) => {
    const shape = shapeOf(draft.inputs[name], datasets) ?? draft.tensors[name]?.shape ?? [];
    return dimensions.flatMap((dimension, place): (readonly [string, number])[] => {
      const size = shape[place];
      return size === undefined ? [] : [[dimension, size]];
    });
  });
  return new Map(sizes);
}

/** The shape that an input has, as far as the page knows. */
export function shapeOf(input: InputSpec | undefined, datasets: readonly DatasetView[]): readonly number[] | null {
  if (input === undefined) return null;
  const id = input.dataset ?? input.upload;
  if (id !== undefined) return datasets.find((dataset) => dataset.id === id)?.shape ?? null;
  return Array.isArray(input.shape) ? (input.shape as readonly number[]) : null;
}

/** A file has its sizes, also while the page does not know it yet. */
const isFile = ({ inputs }: Draft, name: string): boolean =>
  inputs[name]?.dataset !== undefined || inputs[name]?.upload !== undefined;

const isNumber = (name: string): boolean => /^\d/.test(name);

const NAMED_BYTES: Readonly<Record<string, number>> = { double: 8, float: 4, half: 2, int: 4, byte: 1, bool: 1 };

/** Of one value: `float64` and `complex128` say their bits. */
const bytesOf = (type: string): number => NAMED_BYTES[type] ?? Number(/\d+$/.exec(type)?.[0] ?? 64) / 8;
