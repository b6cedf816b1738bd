/** The matrices that arguments are parts of: their data where they have none, and the sizes that they tell. */
import type { DatasetView, GeneratorView, PatternsView } from '../../../api/types';
import type { Draft } from '../../../plan/plan';
import { knownSizes, operandsOf, statementsOf } from '../../../state/sizes/operands';
import type { Compiled } from '../../../state/sizes/operands';
import { generatorInput } from '../inputs/input-choice';

interface Choices {
  readonly datasets: readonly DatasetView[];
  readonly generators: readonly GeneratorView[];
}

const RANDOM = 'uniform';

/** The inputs with random entries for each matrix without data, in the sizes that other inputs say. */
export function withMatrices(draft: Draft, compiled: Compiled, { datasets, generators }: Choices): Draft['inputs'] {
  const generator = generators.find(({ name }) => name === RANDOM);
  if (generator === undefined || compiled.patterns === null) return draft.inputs;
  const { dimensions } = compiled.patterns;
  const arrays = operandsOf(draft, compiled).filter(({ name }) => dimensions[name] === undefined);
  const known = knownSizes(statementsOf(draft, arrays, datasets));
  const missing = matricesOf(draft).filter((name) => draft.inputs[name] === undefined);
  const made = missing.map((name) => {
    const sizes = (dimensions[name] ?? ['', '']).map((size) => known.get(size) ?? null);
    return [name, generatorInput(generator, 2, undefined, sizes)] as const;
  });
  return { ...draft.inputs, ...Object.fromEntries(made) };
}

/** The sizes of the plan without those of parts of matrices, which have their own. */
export function withoutTold(draft: Draft, { arguments: parameters }: PatternsView): Draft['sizes'] {
  const told = parameters
    .filter(({ parameter }) => (draft.arguments[parameter] ?? '').includes('.'))
    .flatMap(({ sizes }) => sizes);
  return Object.fromEntries(Object.entries(draft.sizes).filter(([name]) => !told.includes(name)));
}

const matricesOf = ({ arguments: chosen }: Draft): readonly string[] => [
  ...new Set(Object.values(chosen).flatMap((text) => (text.includes('.') ? [text.split('.')[0] ?? ''] : []))),
];
