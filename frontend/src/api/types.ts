/** The shapes of the HTTP API. Mirrors compiler/views/schema.py until the client is generated. */

export type RoleName = 'bounds' | 'guard' | 'recovery' | 'search' | 'assembly' | 'reduction' | 'init' | 'compute';
export type Space = 'coordinate' | 'position';

export interface LocationView {
  part: 'expression' | 'format' | 'schedule' | 'input' | 'plan';
  start: number;
  end: number;
  command: number | null;
  tensor: string | null;
  path: string | null;
}

export interface FixView {
  title: string;
  expression: string | null;
  schedule: string[] | null;
  formats: Record<string, string> | null;
}

export interface DiagnosticView {
  code: string;
  severity: 'error' | 'warning' | 'note';
  message: string;
  location: LocationView | null;
  expected: string | null;
  found: string | null;
  candidates: string[];
  hint: string | null;
  fixes: FixView[];
}

export interface LevelView {
  kind: string;
  ordered: boolean;
  unique: boolean;
  dimension: number;
  variable: string | null;
  arrays: string[];
}

export interface TensorView {
  name: string;
  result: boolean;
  order: number;
  dtype: string;
  format: string;
  dimensions: string[];
  levels: LevelView[];
}

export interface VariableView {
  name: string;
  space: Space;
  underived: boolean;
  reduction: boolean;
  loop: boolean;
  unit: string | null;
  race: string | null;
  unroll: number | null;
  bounds: string;
  recovery: string | null;
}

export interface GraphNodeView {
  variable: string;
  parent: string | null;
  depth: number;
  merge: '∩' | '∪' | null;
  iteration: string;
  iterated: string[];
  located: string[];
}

export interface PathStepView {
  variable: string;
  level: number;
  kind: string;
}

export interface TensorPathView {
  tensor: string;
  access: string;
  result: boolean;
  steps: PathStepView[];
}

export interface IterationGraphView {
  nodes: GraphNodeView[];
  paths: TensorPathView[];
  statements: string[];
  text: string;
}

export interface RelationView {
  kind: string;
  command: number | null;
  parents: string[];
  children: string[];
  bounds: string[];
  recover: string[];
}

export interface ProvenanceView {
  variables: string[];
  relations: RelationView[];
  text: string;
}

export interface LatticePointView {
  iterators: string[];
  expression: string;
  loop: boolean;
}

export interface LatticeView {
  variable: string;
  points: LatticePointView[];
}

export interface OriginView {
  role: RoleName;
  variable: string | null;
  tensor: string | null;
  level: number | null;
  command: number | null;
}

export interface SpanView {
  line: number;
  column: number;
  end_column: number;
  origin: OriginView;
}

export interface SymbolView {
  kind: 'variable' | 'position' | 'dimension' | 'array' | 'temporary';
  variable: string | null;
  tensor: string | null;
  level: number | null;
}

export interface CodeView {
  language: 'c' | 'cuda' | 'opencl' | 'loops';
  text: string;
  spans: SpanView[];
  symbols: Record<string, SymbolView>;
}

export interface StageView {
  id: string;
  title: string;
  text: string;
  command: number | null;
  milliseconds: number;
  code?: CodeView | null;
}

export interface CommandView {
  index: number;
  text: string;
  name: string;
  arguments: string[];
  status: 'applied' | 'failed' | 'skipped';
}

export interface CompileView {
  plan: Record<string, unknown>;
  hash: string;
  ok: boolean;
  milliseconds: number;
  diagnostics: DiagnosticView[];
  tensors: TensorView[];
  variables: VariableView[];
  commands: CommandView[];
  graph: IterationGraphView | null;
  provenance: ProvenanceView | null;
  lattices: LatticeView[];
  stages: StageView[];
  code: CodeView | null;
}

export interface ParameterView {
  name: string;
  kind: 'variable' | 'variables' | 'new-variable' | 'integer' | 'tensor' | 'expression' | 'enumeration';
  choices: string[];
  optional: boolean;
  doc: string;
}

export interface CommandSpecView {
  name: string;
  signature: string;
  summary: string;
  before: string;
  after: string;
  preconditions: string[];
  parameters: ParameterView[];
}

export interface FormatPresetView {
  name: string;
  order: number | null;
  text: string;
  summary: string;
}

export interface ProblemView {
  type: string;
  title: string;
  status: number;
  detail: string;
  instance: string | null;
  diagnostics?: DiagnosticView[];
}

export type Problem = ProblemView;

export interface ExampleView {
  id: string;
  title: string;
  topic: string;
  summary: string;
  plan: Record<string, unknown>;
}

export interface GeneratorParameterView {
  name: string;
  title: string;
  kind: 'integer' | 'number';
  default: number;
  minimum: number | null;
  maximum: number | null;
}

export interface GeneratorView {
  name: string;
  title: string;
  summary: string;
  order: number | null;
  parameters: GeneratorParameterView[];
}

export interface DatasetView {
  id: string;
  name: string;
  origin: 'builtin' | 'upload';
  shape: number[];
  nnz: number;
  summary: string;
  bytes: number;
}

export interface ProgressView {
  phase: string;
  fraction: number | null;
  message: string;
}

export type RunStateName =
  | 'queued'
  | 'leased'
  | 'running'
  | 'done'
  | 'failed'
  | 'refused'
  | 'cancelled'
  | 'timeout'
  | 'oom'
  | 'crashed'
  | 'lost';

export interface RatioView {
  value: number;
  low: number;
  high: number;
  verdict: 'faster' | 'slower' | 'inconclusive';
}

export interface EntryView {
  id: string;
  label: string;
  available: boolean;
  reason: string | null;
  median_ns: number | null;
  low_ns: number | null;
  high_ns: number | null;
  quartiles_ns: number[] | null;
  samples_ns: number[];
  ratio_to_heddle: RatioView | null;
  gigabytes_per_second: number | null;
  bandwidth_share: number | null;
  preparation: { name: string; ns: number }[];
  note: string | null;
}

export interface MachineFacts {
  cpu: string;
  cores: number;
  memory_bytes: number;
  os: string;
  compiler: string;
  python: string;
  numpy: string;
  scipy: string;
  mkl: { version: string; threading: string; dispatch: string } | null;
  stream_triad_gbps: Record<string, number>;
  load: number;
}

export interface RunResult {
  verification: { ok: boolean; reference: string; max_error: number; tolerance: number };
  entries: EntryView[];
  bytes_moved: number;
  threads: number;
  machine: MachineFacts;
  protocol: Record<string, unknown>;
  inputs: { tensor: string; source: string; shape: number[]; nnz: number; sha256: string }[];
  sandbox: Record<string, unknown>;
  date: string;
}

export interface RunView {
  id: string;
  state: RunStateName;
  created: string;
  started: string | null;
  finished: string | null;
  queue_position: number | null;
  plan: Record<string, unknown>;
  plan_hash: string;
  progress: ProgressView | null;
  problem: Problem | null;
  result: RunResult | null;
  figures: string[];
}

export interface LinkView {
  id: string;
  plan: Record<string, unknown>;
  created: string;
  run: RunView | null;
}

export interface VersionView {
  heddle: string;
  generator: string;
}
