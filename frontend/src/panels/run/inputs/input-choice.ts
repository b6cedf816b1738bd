/** The choice in an input picker as one text, and back. */
import type { DatasetView, GeneratorView } from '../../../api/types';
import type { InputSpec } from '../../../plan/plan';

export const FILLED = 'filled';
export const UPLOAD = 'upload';
export const COLLECTION = 'collection';

export function choiceOf(input: InputSpec | undefined): string {
  if (input === undefined) return FILLED;
  if (typeof input.dataset === 'string') return `dataset ${input.dataset}`;
  if (typeof input.upload === 'string') return `dataset ${input.upload}`;
  return typeof input.generator === 'string' ? `generator ${input.generator}` : FILLED;
}

export function datasetInput(dataset: DatasetView): InputSpec {
  return dataset.origin === 'upload' ? { upload: dataset.id } : { dataset: dataset.id };
}

/**
 * A generator with its defaults; shape, seed and what else two generators share stays over a change of generator. A first
 * one has the sizes that other inputs say.
 */
export function generatorInput(
  generator: GeneratorView,
  order: number,
  before: InputSpec | undefined,
  said: readonly (number | null)[] = [],
): InputSpec {
  const shape = Array.isArray(before?.shape)
    ? before.shape
    : Array.from({ length: order }, (_, place) => said[place] ?? DEFAULT_SIZE);
  const parameters = Object.fromEntries(
    generator.parameters.map(({ name, default: value }) => [name, before?.[name] ?? value]),
  );
  return { generator: generator.name, shape, ...parameters };
}

/** Large enough to time, small enough to wait for. */
const DEFAULT_SIZE = 4096;
