/** What a person says of a decomposition, as the document that the service takes. */
import type { AlgorithmDocument } from '../api/types';

export interface Definition {
  /** `generated`, or the id of a data set. */
  readonly tensor: string;
  readonly shape: string;
  readonly planted: number;
  readonly rank: number;
  readonly sweeps: number;
  readonly tolerance: number;
  readonly seed: number;
}

export const GENERATED = 'generated';

export const INITIAL: Definition = {
  tensor: GENERATED,
  shape: '60, 80, 100',
  planted: 5,
  rank: 5,
  sweeps: 50,
  tolerance: 1e-4,
  seed: 1,
};

/** The sizes in a text such as `60, 80, 100`; null for what is no shape of 2 to 9 modes. */
export function shapeOf(text: string): readonly number[] | null {
  const sizes = text
    .split(/[\s,x×]+/)
    .filter((part) => part !== '')
    .map(Number);
  const sound = sizes.length >= 2 && sizes.length <= 9 && sizes.every((size) => Number.isInteger(size) && size > 0);
  return sound ? sizes : null;
}

/** The methods by mode that are pinned come from an earlier run's roles, as its service wrote them. */
export function documentOf(definition: Definition): AlgorithmDocument {
  const { tensor, shape, planted, rank, sweeps, tolerance, seed } = definition;
  const sizes = shapeOf(shape) ?? [];
  const X =
    tensor === GENERATED
      ? { generator: 'kruskal', shape: sizes, rank: planted, support: 12, noise: 0.01, seed: 7 }
      : tensor.startsWith('sha256:')
        ? { upload: tensor }
        : { dataset: tensor };
  return {
    algorithm: 'cp-als',
    inputs: { X },
    parameters: { rank, sweeps, tolerance, start: { kind: 'uniform', seed } },
  };
}

/** The form that says the document, as far as the form can. */
export function definitionOf(document: AlgorithmDocument): Definition {
  const X = (document.inputs?.['X'] ?? {}) as Readonly<Record<string, unknown>>;
  const parameters = document.parameters as Readonly<Record<string, unknown>>;
  const start = (parameters['start'] ?? {}) as Readonly<Record<string, unknown>>;
  const number = (value: unknown, otherwise: number): number => (typeof value === 'number' ? value : otherwise);
  const named = X['dataset'] ?? X['upload'];
  return {
    tensor: typeof named === 'string' ? named : GENERATED,
    shape: Array.isArray(X['shape']) ? X['shape'].join(', ') : INITIAL.shape,
    planted: number(X['rank'], INITIAL.planted),
    rank: number(parameters['rank'], INITIAL.rank),
    sweeps: number(parameters['sweeps'], INITIAL.sweeps),
    tolerance: number(parameters['tolerance'], INITIAL.tolerance),
    seed: number(start['seed'], 0),
  };
}
