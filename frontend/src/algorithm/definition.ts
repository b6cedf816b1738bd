/** What a person says of a decomposition, as the document that the service takes. */
import type { AlgorithmDocument } from '../api/types';

type Entries = Readonly<Record<string, unknown>>;

export interface Definition {
  readonly algorithm: AlgorithmName;
  /** `generated`, `zipf`, `kept` (as in the document that was opened), or the id of a data set. */
  readonly tensor: string;
  readonly shape: string;
  readonly planted: number;
  readonly nnz: number;
  readonly rank: number;
  readonly sweeps: number;
  readonly tolerance: number;
  readonly start: string;
  readonly seed: number;
  /** `none`, `best`, or a tree. */
  readonly reuse: string;
  readonly reproducible: boolean;
  /** Programs to compare with. */
  readonly opponents: readonly string[];
  /** By mode, where the rules do not choose. */
  readonly methods: Readonly<Record<string, string>>;
  /** What the document says that has no field here. */
  readonly kept: Kept;
}

interface Kept {
  readonly X: Entries;
  readonly start: Entries;
  readonly parameters: Entries;
  readonly kernels: Entries;
  readonly run: Entries;
}

export const GENERATED = 'generated';
export const ZIPF = 'zipf';
export const KEPT = 'kept';
export const NO_TREE = 'none';
export const BEST_TREE = 'best';

export const ALGORITHMS = {
  'cp-als': 'CP-ALS, least squares mode by mode',
  'cp-apr': 'CP-APR, counts',
  'cp-opt': 'CP-OPT, gradients of all modes',
} as const;
export type AlgorithmName = keyof typeof ALGORITHMS;

export const STARTS = {
  uniform: 'Uniform',
  normal: 'Normal',
  nvecs: 'Leading eigenvectors',
} as const;

/** Programs that a run of CP-ALS can be compared with, where the service has them. */
export const OPPONENTS = { pyttb: 'pyttb', genten: 'GenTen' } as const;

const PLANTED = { support: 12, noise: 0.01, seed: 7 };
const ZIPF_SHAPE = { exponent: 1, seed: 7 };
const NOTHING_KEPT: Kept = { X: {}, start: {}, parameters: {}, kernels: {}, run: {} };

export const INITIAL: Definition = {
  algorithm: 'cp-als',
  tensor: GENERATED,
  shape: '60, 80, 100',
  planted: 5,
  nnz: 20_000,
  rank: 5,
  sweeps: 50,
  tolerance: 1e-4,
  start: 'uniform',
  seed: 1,
  reuse: NO_TREE,
  reproducible: true,
  opponents: [],
  methods: {},
  kept: NOTHING_KEPT,
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

/** Whether a generator makes the tensor, of a shape that the person says. */
export const isMade = ({ tensor }: Definition): boolean => tensor === GENERATED || tensor === ZIPF;

/** Whether that shape is none. */
export const hasWrongShape = (definition: Definition): boolean =>
  isMade(definition) && shapeOf(definition.shape) === null;

/** Whether the modes of this algorithm can share partial products. */
export const hasTrees = (algorithm: AlgorithmName): boolean => algorithm !== 'cp-apr';

export function documentOf(definition: Definition): AlgorithmDocument {
  const { algorithm, kept, rank, sweeps, tolerance, reuse, reproducible, methods } = definition;
  const chosen = Object.entries(methods).map(([mode, method]) => [`mttkrp.${mode}`, { method }] as const);
  const kernels = { ...kept.kernels, ...Object.fromEntries(chosen) };
  const compared = algorithm === 'cp-als' && definition.opponents.length > 0;
  const run = { ...kept.run, ...(compared ? { baselines: definition.opponents } : {}) };
  return {
    algorithm,
    inputs: { X: tensorOf(definition) },
    parameters: {
      ...kept.parameters,
      rank,
      sweeps,
      tolerance,
      start: startOf(definition),
      ...(reuse !== NO_TREE && hasTrees(algorithm) ? { reuse } : {}),
      ...(reproducible ? {} : { reproducible }),
    },
    ...(Object.keys(kernels).length > 0 ? { kernels } : {}),
    ...(Object.keys(run).length > 0 ? { run } : {}),
  };
}

function tensorOf({ tensor, shape, planted, nnz, kept }: Definition): Entries {
  switch (tensor) {
    case GENERATED:
      return { generator: 'kruskal', shape: shapeOf(shape) ?? [], rank: planted, ...PLANTED };
    case ZIPF:
      return { generator: 'zipf', shape: shapeOf(shape) ?? [], nnz, ...ZIPF_SHAPE };
    case KEPT:
      return kept.X;
    default:
      return tensor.startsWith('sha256:') ? { upload: tensor } : { dataset: tensor };
  }
}

const startOf = ({ start, seed, kept }: Definition): Entries =>
  start in STARTS ? { kind: start, ...(seed === 0 ? {} : { seed }) } : kept.start;

/** The form that says the document; what it has no field for is kept. */
export function definitionOf(document: AlgorithmDocument): Definition {
  const X = entries(document.inputs?.['X']);
  const { rank, sweeps, tolerance, reuse, reproducible, start, ...others } = document.parameters as Entries;
  const started = typeof start === 'string' ? { kind: start } : entries(start);
  const methods: Record<string, string> = {};
  const kernels: Record<string, unknown> = {};
  for (const [role, kernel] of Object.entries(document.kernels ?? {})) {
    const method = entries(kernel)['method'];
    if (typeof method === 'string') methods[role.replace('mttkrp.', '')] = method;
    else kernels[role] = kernel;
  }
  const { baselines, ...run } = entries(document.run);
  const algorithm = Object.keys(ALGORITHMS).find((name) => name === document.algorithm) as AlgorithmName | undefined;
  const kind = started['kind'] ?? 'uniform';
  return {
    algorithm: algorithm ?? INITIAL.algorithm,
    ...readTensor(X),
    rank: number(rank, INITIAL.rank),
    sweeps: number(sweeps, INITIAL.sweeps),
    tolerance: number(tolerance, INITIAL.tolerance),
    start: typeof kind === 'string' ? kind : INITIAL.start,
    seed: number(started['seed'], 0),
    reuse: typeof reuse === 'string' ? reuse : NO_TREE,
    reproducible: reproducible !== false,
    opponents: Array.isArray(baselines) ? baselines.map(String) : [],
    methods,
    kept: { X, start: started, parameters: others, kernels, run },
  };
}

function readTensor(X: Entries): Pick<Definition, 'tensor' | 'shape' | 'planted' | 'nnz'> {
  const { generator, shape, rank, nnz, ...others } = X;
  const read = {
    shape: Array.isArray(shape) ? shape.join(', ') : INITIAL.shape,
    planted: number(rank, INITIAL.planted),
    nnz: number(nnz, INITIAL.nnz),
  };
  const named = X['dataset'] ?? X['upload'];
  if (typeof named === 'string') return { ...read, tensor: named };
  if (generator === 'kruskal' && same(others, PLANTED)) return { ...read, tensor: GENERATED };
  if (generator === 'zipf' && same(others, ZIPF_SHAPE)) return { ...read, tensor: ZIPF };
  return { ...read, tensor: KEPT };
}

const same = (found: Entries, fixed: Entries): boolean =>
  Object.keys(found).length === Object.keys(fixed).length &&
  Object.entries(fixed).every(([name, value]) => found[name] === value);

const entries = (value: unknown): Entries =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Entries) : {};

const number = (value: unknown, otherwise: number): number => (typeof value === 'number' ? value : otherwise);
