/** The running example (4 × 6, rows of 2, 0, 3 and 2 nonzeros) traced: SpMV in tiles of three nonzeros, Atomics. */
import type { CompileView, TraceStepView, TraceView } from '../../api/types';

export const COORDINATES = [
  [0, 0],
  [0, 2],
  [2, 0],
  [2, 3],
  [2, 5],
  [3, 1],
  [3, 4],
] as const;

const EMPTY = { line: 1, c_line: null, loads: [], fill: null } as const;

function visit(p0: number, p1: number, i: number, j: number): TraceStepView[] {
  const worker = { p0 };
  return [
    { ...EMPTY, loads: [], statement: 2, kind: 'iteration', worker, changed: { p1 }, store: null, visit: null },
    { ...EMPTY, loads: [], statement: 3, kind: 'assign', worker, changed: { s: 1 }, store: null, visit: { i, j } },
  ];
}

function store(p0: number, row: number): TraceStepView {
  const written = { array: 'y_vals', index: row, value: 1, atomic: true };
  return { ...EMPTY, loads: [], statement: 4, kind: 'store', worker: { p0 }, changed: {}, store: written, visit: null };
}

function tile(p0: number): TraceStepView {
  return {
    ...EMPTY,
    loads: [],
    statement: 1,
    kind: 'iteration',
    worker: {},
    changed: { p0 },
    store: null,
    visit: null,
  };
}

const STEPS: TraceStepView[] = [
  tile(0),
  ...visit(0, 0, 0, 0),
  ...visit(0, 1, 0, 2),
  store(0, 0),
  ...visit(0, 2, 2, 0),
  store(0, 2),
  tile(1),
  ...visit(1, 0, 2, 3),
  ...visit(1, 1, 2, 5),
  store(1, 2),
  ...visit(1, 2, 3, 1),
  store(1, 3),
  tile(2),
  ...visit(2, 0, 3, 4),
  store(2, 3),
];

export const TRACE: TraceView = {
  hash: 'fixture',
  ok: true,
  diagnostics: [],
  parameters: {},
  steps: STEPS,
  merges: [],
  launches: [],
  visits: 7,
  loads: 0,
  stores: 5,
  atomics: 5,
  tensors: [
    {
      tensor: 'A',
      origin: 'example',
      shape: [4, 6],
      nonzeros: 7,
      arrays: { A_vals: [6, 9, 5, 7, 1, 2, 8] },
      coordinates: COORDINATES.map((at) => [...at]),
    },
    {
      tensor: 'x',
      origin: 'random',
      shape: [6],
      nonzeros: 6,
      arrays: { x_vals: [1, 2, 3, 4, 5, 6] },
      coordinates: [[0], [1], [2], [3], [4], [5]],
    },
    {
      tensor: 'y',
      origin: 'result',
      shape: [4],
      nonzeros: 3,
      arrays: { y_vals: [1, 0, 2, 2] },
      coordinates: [[0], [1], [2], [3]],
    },
  ],
};

const level = (kind: string, dimension: number, variable: string) => ({
  kind,
  dimension,
  variable,
  ordered: true,
  unique: true,
  further: [],
  arrays: [],
});

/** What the geometry needs of the compile. */
export const RESULT = {
  tensors: [
    {
      name: 'y',
      result: true,
      order: 1,
      dtype: 'float64',
      format: 'dense',
      dimensions: ['i'],
      levels: [level('dense', 0, 'i')],
    },
    {
      name: 'x',
      result: false,
      order: 1,
      dtype: 'float64',
      format: 'dense',
      dimensions: ['j'],
      levels: [level('dense', 0, 'j')],
    },
    {
      name: 'A',
      result: false,
      order: 2,
      dtype: 'float64',
      format: 'csr',
      dimensions: ['i', 'j'],
      levels: [level('dense', 0, 'i'), level('compressed', 1, 'j')],
    },
  ],
} as unknown as CompileView;
