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
