/** The operands of a program in any language, the sizes that its inputs say, and where two of them disagree. */
import type { DatasetView, PatternsView, TensorView } from '../../api/types';
import { headerOf } from '../../plan/header';
import type { Draft, InputSpec } from '../../plan/plan';
import type { Change } from '../plans/changes';

/** What the program that compiled last is made of. */
export interface Compiled {
  readonly tensors: readonly TensorView[];
  /** Of a program of patterns. */
  readonly patterns: PatternsView | null;
}

/** An operand with the names or numbers of its dimensions, and what one element takes. */
export interface Operand {
  readonly name: string;
  readonly dimensions: readonly string[];
  /** Sizes that the data tell as a whole: the rows of a triangle follow from its elements. */
  readonly tells: readonly string[];
  readonly bytes: number;
  /** Where it is no product of the dimensions; null where the data say it. */
  readonly elements?: PatternsView['arguments'][number]['records'];
}

/** An input says that a dimension has this size. */
export interface Statement {
  readonly dimension: string;
  readonly size: number;
  readonly by: string;
  /** Which dimension of its tensor it is. */
  readonly place: number;
}

export function operandsOf(draft: Draft, { tensors, patterns }: Compiled): readonly Operand[] {
  switch (draft.language) {
    case 'notation':
      return tensors
        .filter(({ name, result }) => !result && isWritten(draft.expression, name))
        .map(({ name, dimensions, dtype }) => ({ name, dimensions, tells: [], bytes: bytesOf(dtype) }));
    case 'comprehension':
      return (headerOf(draft.expression)?.parameters ?? []).map(({ name, dimensions, scalar }) => ({
        name,
        dimensions,
        tells: [],
        bytes: bytesOf(scalar),
      }));
    case 'patterns':
      return patterns === null ? [] : operandsOfPatterns(draft, tensors, patterns);
    default:
      throw new Error(`unexpected language ${JSON.stringify(draft.language satisfies never)}`);
  }
}

/** The parameters that are arrays of their own, and the tensors that others are parts of. */
function operandsOfPatterns(draft: Draft, tensors: readonly TensorView[], patterns: PatternsView): readonly Operand[] {
  const parameters = patterns.arguments.filter(({ parameter, made }) => made || isWritten(draft.expression, parameter));
  const sources = new Set(parameters.map(({ parameter, argument }) => tensorOf(argument ?? parameter)));
  return [...sources].map((name) => {
    const members = parameters.filter(({ parameter, argument }) => tensorOf(argument ?? parameter) === name);
    const dimensions = tensors.find((tensor) => tensor.name === name)?.dimensions ?? [];
    const [first] = members;
    const tells = members.flatMap(({ sizes }) => sizes).filter((size) => !dimensions.includes(size));
    const bytes = members.reduce((sum, member) => sum + member.bytes, 0);
    const whole = members.length === 1 && first !== undefined && !(first.argument ?? '').includes('.');
    return { name, dimensions, tells: [...new Set(tells)], bytes, elements: whole ? first.records : null };
  });
}

const tensorOf = (argument: string): string => argument.split('.')[0] ?? argument;

const isWritten = (expression: string, name: string): boolean =>
  new RegExp(String.raw`(?<!\w)${name}(?!\w)`).test(expression);

/** What the inputs and the shapes of a plan say of the dimensions, in the order of the operands. */
export const statementsOf = (
  draft: Draft,
  operands: readonly Operand[],
  datasets: readonly DatasetView[],
): readonly Statement[] =>
  operands.flatMap(({ name, dimensions }) => {
    const shape = shapeOf(draft.inputs[name], datasets) ?? draft.tensors[name]?.shape ?? [];
    return dimensions.flatMap((dimension, place): Statement[] => {
      const size = shape[place];
      return size === undefined ? [] : [{ dimension, size, by: name, place }];
    });
  });

/** Of inputs that disagree the first one is right: the others are said by {@link disagreementsOf}. */
export const knownSizes = (statements: readonly Statement[]): ReadonlyMap<string, number> =>
  new Map([...statements].reverse().map(({ dimension, size }) => [dimension, size]));

/** Two inputs that disagree about a size, each other one with the first that has the size. */
export const disagreementsOf = (
  statements: readonly Statement[],
): readonly { readonly first: Statement; readonly second: Statement }[] =>
  statements.flatMap((second) => {
    const first = statements.find(({ dimension }) => dimension === second.dimension);
    return first === undefined || first.size === second.size ? [] : [{ first, second }];
  });

/** The change that gives a dimension this size, where no file has another one. */
export function resized({ inputs, tensors }: Draft, { by, place }: Statement, size: number): Change {
  const withSize = (shape: readonly number[]): readonly number[] =>
    shape.map((other, at) => (at === place ? size : other));
  const input = inputs[by];
  const shape = input?.shape;
  return input !== undefined && Array.isArray(shape)
    ? {
        kind: 'input',
        tensor: by,
        inputs: { ...inputs, [by]: { ...input, shape: withSize(shape as readonly number[]) } },
      }
    : { kind: 'shape', tensor: by, shape: withSize(tensors[by]?.shape ?? []) };
}

/** The shape that an input has, as far as the page knows. */
export function shapeOf(input: InputSpec | undefined, datasets: readonly DatasetView[]): readonly number[] | null {
  if (input === undefined) return null;
  const id = input.dataset ?? input.upload;
  if (id !== undefined) return datasets.find((dataset) => dataset.id === id)?.shape ?? null;
  return Array.isArray(input.shape) ? (input.shape as readonly number[]) : null;
}

/** How many entries a sparse operand stores, and which part of its cells they are; null for a dense one. */
export function storedOf(
  { inputs, tensors }: Draft,
  { name, elements }: Operand,
  datasets: readonly DatasetView[],
): { readonly entries: number; readonly density: number } | null {
  const input = inputs[name];
  const id = input?.dataset ?? input?.upload;
  const entries = id === undefined ? input?.nnz : datasets.find((dataset) => dataset.id === id)?.nnz;
  const shape = shapeOf(input, datasets);
  const isSparse = elements === null || (tensors[name]?.format ?? 'dense') !== 'dense';
  if (!isSparse || typeof entries !== 'number' || shape === null) return null;
  return {
    entries,
    density: Math.min(
      1,
      entries /
        Math.max(
          1,
          shape.reduce((cells, size) => cells * size, 1),
        ),
    ),
  };
}

/** A file has its sizes, also while the page does not know it yet. */
export const isFile = ({ inputs }: Draft, name: string): boolean =>
  inputs[name]?.dataset !== undefined || inputs[name]?.upload !== undefined;

/** Null where elements of arrays decide. */
export function elementsOf({ dimensions, elements }: Operand, sizeOf: (name: string) => number): number | null {
  if (elements === undefined) return dimensions.reduce((product, name) => product * sizeOf(name), 1);
  return (
    elements?.reduce(
      (sum, { coefficient, sizes }) => sum + sizes.reduce((product, name) => product * sizeOf(name), coefficient),
      0,
    ) ?? null
  );
}

const NAMED_BYTES: Readonly<Record<string, number>> = { double: 8, float: 4, half: 2, int: 4, byte: 1, bool: 1 };

/** Of one value: `float64` and `complex128` say their bits. */
const bytesOf = (type: string): number => NAMED_BYTES[type] ?? Number(/\d+$/.exec(type)?.[0] ?? 64) / 8;
