/** Sizes and integers of an expression that no input says: each is a field, with a number with which a run verifies. */
import type { DatasetView, TensorView } from '../../api/types';
import { headerOf, integersOf, windowsOf, writtenSteps } from '../../plan/header';
import type { Header } from '../../plan/header';
import type { Draft } from '../../plan/plan';
import { elementsOf, isFile, knownSizes, operandsOf, shapeOf, statementsOf, storedOf } from './operands';
import type { Compiled, Operand } from './operands';

export interface Gap {
  readonly name: string;
  readonly kind: 'size' | 'integer';
  /** That of the plan; null where it says none. */
  readonly value: number | null;
  readonly proposed: number;
}

const RANK = /^r(?:ank)?$/i;
const [RANK_SIZE, WINDOW_SIZE, STRIDE] = [16, 3, 1];
const POSITION_BYTES = 4;
const SQUARE_SIZES = [256, 128, 64, 32, 16, 8];
/** Steps that the reference of a run takes without a long wait. */
const MOST_STEPS = 2 ** 25;

/** In the order in which they are written. `compiled` is the program that compiled last. */
export function gapsOf(draft: Draft, compiled: Compiled, datasets: readonly DatasetView[]): readonly Gap[] {
  if (needsMatrix(draft, compiled)) return [];
  const operands = operandsOf(draft, compiled);
  const known = knownSizes(statementsOf(draft, operands, datasets));
  const told = operands
    .filter(({ name }) => isFile(draft, name) || shapeOf(draft.inputs[name], datasets) !== null)
    .flatMap(({ name, dimensions, tells }) => (isFile(draft, name) ? [...dimensions, ...tells] : tells));
  const names = sizesIn(draft, compiled, operands).filter(
    (name) => !isNumber(name) && !known.has(name) && !told.includes(name),
  );
  const sparse = operands.map((operand) => storedOf(draft, operand, datasets)?.density ?? 1);
  const all = sizesIn(draft, compiled, operands).map((name) =>
    isNumber(name) ? Number(name) : (known.get(name) ?? 1),
  );
  const proposals = proposedSizes(
    names,
    product(all) * Math.min(1, ...sparse) * writtenStepsIn(draft),
    windowsIn(draft),
  );
  const value = (name: string): number | null => draft.sizes[name] ?? null;
  return [
    ...names.map((name): Gap => ({ name, kind: 'size', value: value(name), proposed: proposals[name] ?? 1 })),
    ...integersIn(draft, compiled).map((name): Gap => ({
      name,
      kind: 'integer',
      value: value(name),
      proposed: STRIDE,
    })),
  ];
}

/** Sizes of the plan of which an input has another one, with that one. */
export function conflictsOf(
  draft: Draft,
  compiled: Compiled,
  datasets: readonly DatasetView[],
): readonly { readonly name: string; readonly fixed: number; readonly known: number }[] {
  const known = knownSizes(statementsOf(draft, operandsOf(draft, compiled), datasets));
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

/** What the program calls the sizes of a tensor's dimensions, and behind them those that it tells as a whole. */
export function sizeNames(draft: Draft, compiled: Compiled, { name }: TensorView): readonly string[] {
  const operand = operandsOf(draft, compiled).find((other) => other.name === name);
  return operand === undefined ? [] : [...operand.dimensions, ...operand.tells];
}

/** The shape of a dense operand with a number for every gap, as far as it is known. */
export function proposedShape(
  draft: Draft,
  compiled: Compiled,
  datasets: readonly DatasetView[],
  name: string,
): readonly (number | null)[] {
  const operands = operandsOf(draft, compiled);
  const operand = operands.find((other) => other.name === name);
  if (operand === undefined) return [];
  const sizes = new Map([
    ...Object.entries(filledSizes(draft, gapsOf(draft, compiled, datasets))),
    ...knownSizes(statementsOf(draft, operands, datasets)),
  ]);
  const { dimensions, tells } = operand;
  if (tells.length === 0 || tells.some((size) => !sizes.has(size)))
    return dimensions.map((size) => sizes.get(size) ?? null);
  return [elementsOf(operand, (size) => sizes.get(size) ?? 1)];
}

/**
 * What the operands take in memory, a sparse one with a position for each entry, and the steps of one statement over all
 * sizes: their product, in the part of it that the sparsest operand stores.
 */
export function costOf(
  draft: Draft,
  gaps: readonly Gap[],
  compiled: Compiled,
  datasets: readonly DatasetView[],
): { readonly bytes: number; readonly steps: number } {
  const operands = operandsOf(draft, compiled);
  const sizes = new Map([
    ...Object.entries(filledSizes(draft, gaps)),
    ...knownSizes(statementsOf(draft, operands, datasets)),
  ]);
  const sizeOf = (name: string): number => (isNumber(name) ? Number(name) : (sizes.get(name) ?? 1));
  const stored = operands.map((operand) => storedOf(draft, operand, datasets));
  const elements = operands.map((operand, place) => stored[place]?.entries ?? elementsOf(operand, sizeOf) ?? 0);
  const density = Math.min(1, ...stored.map((entries) => entries?.density ?? 1));
  const all = product(sizesIn(draft, compiled, operands).map(sizeOf)) * writtenStepsIn(draft);
  const bytes = operands.map((operand, place) => operand.bytes + (stored[place] === null ? 0 : POSITION_BYTES));
  return {
    bytes: bytes.reduce((sum, each, place) => sum + each * (elements[place] ?? 0), 0),
    steps: Math.max(Math.round(all * density), ...elements),
  };
}

/** Square but for windows and ranks, and as large as the reference takes well, which does all of it `around` times. */
export function proposedSizes(
  names: readonly string[],
  around = 1,
  windows: readonly string[] = [],
): Readonly<Record<string, number>> {
  const special = (name: string): number | null =>
    RANK.test(name) ? RANK_SIZE : windows.includes(name) ? WINDOW_SIZE : null;
  const others = names.filter((name) => special(name) === null).length;
  const whole = names.reduce((all, name) => all * (special(name) ?? 1), around);
  const square = SQUARE_SIZES.find((size) => whole * size ** others <= MOST_STEPS) ?? SQUARE_SIZES.at(-1) ?? 1;
  return Object.fromEntries(names.map((name) => [name, special(name) ?? square]));
}

const product = (numbers: readonly number[]): number => numbers.reduce((all, number) => all * number, 1);

/** Offsets and lengths of rows are those of a matrix: no sizes make up for them. */
const needsMatrix = (draft: Draft, { patterns }: Compiled): boolean =>
  draft.language === 'patterns' &&
  (patterns?.arguments ?? []).some(({ parameter, argument, proposed, made }) =>
    argument === null
      ? !made && draft.inputs[parameter] === undefined && /\.(?:pos|lengths)$/.test(proposed)
      : argument.includes('.') && draft.inputs[argument.split('.')[0] ?? ''] === undefined,
  );

/** A program of patterns names its sizes itself: a length such as n + 1 is none. */
const sizesIn = ({ language }: Draft, { patterns }: Compiled, operands: readonly Operand[]): readonly string[] => {
  if (language !== 'patterns') return [...new Set(operands.flatMap(({ dimensions }) => dimensions))];
  const named = new Set(operands.flatMap(({ dimensions, tells }) => [...dimensions, ...tells]));
  return (patterns?.sizes ?? []).filter((name) => named.has(name));
};

function integersIn(draft: Draft, { patterns }: Compiled): readonly string[] {
  if (draft.language === 'patterns') return patterns?.integers ?? [];
  const header = headerIn(draft);
  return header === null ? [] : integersOf(header);
}

const headerIn = ({ language, expression }: Draft): Header | null =>
  language === 'comprehension' ? headerOf(expression) : null;

function windowsIn(draft: Draft): readonly string[] {
  const header = headerIn(draft);
  return header === null ? [] : windowsOf(header);
}

/** Of loops whose ranges are written in numbers. */
function writtenStepsIn(draft: Draft): number {
  const header = headerIn(draft);
  return header === null ? 1 : writtenSteps(header);
}

const isNumber = (name: string): boolean => /^\d/.test(name);
