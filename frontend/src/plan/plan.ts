/**
 * The Plan as the page edits it. A Draft keeps what a person may still need (blank lines, formats of tensors that left
 * the expression for a moment); {@link toPlan} makes the canonical document of it: non-defaults only.
 */

import { headerOf, integersOf, sizesOf } from './header';
import { numbersOf, parametersOfPatterns } from './parameters';
import { parseSchedule } from '../schedule/schedule-syntax';
import type { Role, Roles } from './roles';
import { DEFAULT_TARGET } from './targets';
import type { Target } from './targets';

/** Of plans that are read. They differ in the order in which loops run that no command moves. */
export const PLAN_VERSIONS: readonly number[] = [1, 2];
/** Of a plan that starts on this page; one that was opened keeps its own. */
export const PLAN_VERSION = 2;
/** What an expression may be written in; the first is meant where a plan does not say. */
export const EXPRESSION_LANGUAGES = ['notation', 'patterns', 'comprehension'] as const;
export type ExpressionLanguage = (typeof EXPRESSION_LANGUAGES)[number];
/** Programs that become loops directly: without statements, a graph, formats, or a run that is traced. */
export const becomesLoops = (language: ExpressionLanguage | undefined): boolean => language === 'patterns';
export const DEFAULT_BASELINES: readonly string[] = ['scipy', 'mkl'];

export interface TensorSpec {
  readonly format?: string;
  readonly dtype?: string;
  readonly shape?: readonly number[];
  /** What it is where it stores nothing, unless that is 0. What JSON has no number for is a text. */
  readonly fill?: Fill;
}

export const SPELLED_FILLS = ['inf', '-inf', 'nan'] as const;
/** A complex number as Python writes it: `1+2j`. */
export type ComplexFill = `${string}j`;
export type Fill = number | boolean | (typeof SPELLED_FILLS)[number] | ComplexFill;
/** Whether a text is the complex number that Heddle would read it as. */
export const isComplexFill = (text: string): text is ComplexFill =>
  text.length <= 64 && /^[-+]?(?:[\d.]+(?:e[-+]?\d+)?[-+]|inf[-+])?(?:[\d.]+(?:e[-+]?\d+)?|inf)?j$/i.test(text);

export type InputValue = string | number | readonly number[];
/** `{dataset}`, `{upload}` or `{generator, …parameters}`. */
export type InputSpec = Readonly<Record<string, InputValue>>;

export const CONVERSIONS = ['never', 'automatic'] as const;
/** What happens where the loops need an operand in another storage order. */
export type Conversion = (typeof CONVERSIONS)[number];

export interface PlanDocument {
  readonly version: number;
  readonly expression: string;
  readonly language?: ExpressionLanguage;
  readonly arguments?: Readonly<Record<string, string>>;
  readonly tensors?: Readonly<Record<string, TensorSpec>>;
  readonly schedule?: readonly string[];
  readonly target?: Target;
  readonly inputs?: Readonly<Record<string, InputSpec>>;
  readonly run?: { readonly baselines?: readonly string[]; readonly threads?: number };
  readonly options?: { readonly convert?: Conversion };
}

/** Choices that are out of the plan, with what their tensor was when they were made. */
export interface Choice {
  readonly tensor: string;
  readonly role: Role;
  readonly input?: InputSpec;
  readonly format?: string;
  readonly shape?: readonly number[];
  readonly dtype?: string;
  /** What the parameter of patterns is taken from. */
  readonly argument?: string;
}

export interface Aside {
  /** What each tensor was when the expression could last be read. */
  readonly roles: Roles;
  readonly waiting: readonly Choice[];
}

export interface Draft {
  readonly version: number;
  readonly expression: string;
  readonly language: ExpressionLanguage;
  /** Sizes and integers that the expression names and the plan fixes. */
  readonly sizes: Readonly<Record<string, number>>;
  /** What the parameters of a program of patterns are taken from: a tensor, or a part of one as `A.pos`. */
  readonly arguments: Readonly<Record<string, string>>;
  readonly tensors: Readonly<Record<string, TensorSpec>>;
  /** The text of the schedule editor, one command per line. */
  readonly schedule: string;
  readonly target: Target;
  readonly inputs: Readonly<Record<string, InputSpec>>;
  readonly baselines: readonly string[];
  /** Null leaves the number of threads to the machine that runs the kernel. */
  readonly threads: number | null;
  readonly convert: Conversion;
  /** What edits of the expression took out of the plan; none until the first of them. */
  readonly aside?: Aside;
}

export const EMPTY_DRAFT: Draft = {
  version: PLAN_VERSION,
  expression: '',
  language: EXPRESSION_LANGUAGES[0],
  sizes: {},
  arguments: {},
  tensors: {},
  schedule: '',
  target: DEFAULT_TARGET,
  inputs: {},
  baselines: DEFAULT_BASELINES,
  threads: null,
  convert: 'never',
};

/** What is open when nothing else was asked for: SpMV with a CSR matrix from structural engineering. */
export const DEFAULT_DRAFT: Draft = {
  ...EMPTY_DRAFT,
  expression: 'y(i) = A(i,j) * x(j)',
  tensors: { A: { format: 'csr' } },
  schedule: 'split(i, i0, i1, 32)\nparallelize(i0, CPUThread, NoRaces)',
  inputs: { A: { dataset: 'bcsstk13' } },
};

/** The commands that are in force: blank lines and comments (with them the disabled commands) left out. */
export function commandsOf(schedule: string): string[] {
  return parseSchedule(schedule).map(({ from, to }) => schedule.slice(from, to));
}

const wordsOf = (text: string): readonly string[] => text.match(/[A-Za-z_]\w*/g) ?? [];

/** Every word may be one, but in a comprehension an index variable may be called as a tensor was before. */
function tensorNames({ language, expression }: Draft): readonly string[] {
  const header = language === 'comprehension' ? headerOf(expression) : null;
  if (header === null) return wordsOf(expression);
  const accesses = header.body.match(/[A-Za-z_]\w*(?=\s*\()/g) ?? [];
  return [...header.parameters.map(({ name }) => name), ...header.results, ...accesses];
}

/** The sizes and integers that the expression names. */
function namedSizes({ language, expression, sizes }: Draft): Readonly<Record<string, number>> {
  const header = language === 'comprehension' ? headerOf(expression) : null;
  if (header !== null) return mentioned(sizes, [...sizesOf(header), ...integersOf(header)]);
  const parameters = language === 'patterns' ? parametersOfPatterns(expression) : null;
  return mentioned(sizes, parameters === null ? wordsOf(expression) : numbersOf(parameters));
}

function mentioned<T>(entries: Readonly<Record<string, T>>, words: readonly string[]): Record<string, T> {
  const names = new Set(words);
  return Object.fromEntries(Object.entries(entries).filter(([name]) => names.has(name)));
}

/** The canonical document: defaults left out, tensors that the expression does not name left out. */
export function toPlan(draft: Draft): PlanDocument {
  const sources = becomesLoops(draft.language) ? mentioned(draft.arguments, wordsOf(draft.expression)) : {};
  const named = [...tensorNames(draft), ...wordsOf(Object.values(sources).join(' '))];
  const sizes = namedSizes(draft);
  const specs = Object.entries(mentioned(draft.tensors, named)).map(
    ([name, spec]) =>
      [name, Object.fromEntries(Object.entries(spec).filter(([, value]) => value !== undefined))] as const,
  );
  const tensors = Object.fromEntries(specs.filter(([, spec]) => Object.keys(spec).length > 0)) as Record<
    string,
    TensorSpec
  >;
  const inputs = mentioned(draft.inputs, named);
  const schedule = commandsOf(draft.schedule);
  const run = {
    ...(sameTexts(draft.baselines, DEFAULT_BASELINES) ? {} : { baselines: draft.baselines }),
    ...(draft.threads === null ? {} : { threads: draft.threads }),
  };
  return {
    version: draft.version,
    expression: draft.expression,
    ...(draft.language === EXPRESSION_LANGUAGES[0] ? {} : { language: draft.language }),
    ...(Object.keys(sizes).length === 0 ? {} : { sizes }),
    ...(Object.keys(sources).length > 0 ? { arguments: sources } : {}),
    ...(Object.keys(tensors).length > 0 ? { tensors } : {}),
    ...(schedule.length > 0 ? { schedule } : {}),
    ...(draft.target === DEFAULT_TARGET ? {} : { target: draft.target }),
    ...(Object.keys(inputs).length > 0 ? { inputs } : {}),
    ...(Object.keys(run).length > 0 ? { run } : {}),
    ...(draft.convert === 'never' ? {} : { options: { convert: draft.convert } }),
  };
}

/** What a trace depends on: not the real inputs, nor how a run is measured. */
export function tracedPlan(plan: PlanDocument): PlanDocument {
  return Object.fromEntries(
    Object.entries(plan).filter(([key]) => key !== 'inputs' && key !== 'run'),
  ) as unknown as PlanDocument;
}

/** The version as an address has it: none stands for the first. */
export const versionInAddress = ({ version }: Draft): number | undefined =>
  version === PLAN_VERSIONS[0] ? undefined : version;

export function sameTexts(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((text, index) => text === right[index]);
}

/** Text that is equal for equal plans: keys sorted, no white space. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    part !== null && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([left], [right]) => (left < right ? -1 : 1)))
      : part,
  );
}
