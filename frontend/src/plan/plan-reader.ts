/** Reads a Plan document from outside (a URL, a link, an example) into a Draft, or says what is wrong with it. */
import {
  CONVERSIONS,
  DEFAULT_BASELINES,
  EXPRESSION_LANGUAGES,
  PLAN_VERSIONS,
  SPELLED_FILLS,
  isComplexFill,
} from './plan';
import type { Conversion, Draft, Fill, InputSpec, InputValue, ExpressionLanguage, TensorSpec } from './plan';
import { DEFAULT_TARGET, TARGET_NAMES } from './targets';
import type { Target } from './targets';

export class PlanError extends Error {}

type Json = Readonly<Record<string, unknown>>;

export function readPlan(document: unknown): Draft {
  const plan = object(document, 'the plan');
  // A plan that says no version is as old as the first.
  const wanted = plan.version ?? PLAN_VERSIONS[0];
  const version = PLAN_VERSIONS.find((known) => known === wanted);
  if (version === undefined) {
    const known = PLAN_VERSIONS.join(' and ');
    throw new PlanError(`This plan has version ${String(wanted)}; this page reads versions ${known}.`);
  }
  const run = object(plan.run ?? {}, 'run');
  const options = object(plan.options ?? {}, 'options');
  return {
    version,
    expression: text(plan.expression, 'expression'),
    language: readLanguage(plan.language ?? EXPRESSION_LANGUAGES[0]),
    sizes: record(plan.sizes, 'sizes', (value, name) => number(value, `sizes.${name}`)),
    arguments: record(plan.arguments, 'arguments', (value, name) => text(value, `arguments.${name}`)),
    tensors: record(plan.tensors, 'tensors', readTensor),
    schedule: texts(plan.schedule ?? [], 'schedule').join('\n'),
    target: readTarget(plan.target ?? DEFAULT_TARGET),
    inputs: record(plan.inputs, 'inputs', readInput),
    baselines: run.baselines === undefined ? DEFAULT_BASELINES : texts(run.baselines, 'run.baselines'),
    threads: run.threads === undefined || run.threads === null ? null : number(run.threads, 'run.threads'),
    convert: readConversion(options.convert ?? 'never'),
  };
}

function readTensor(value: unknown, name: string): TensorSpec {
  const spec = object(value, `tensors.${name}`);
  return {
    ...(present(spec.format) ? { format: text(spec.format, `tensors.${name}.format`) } : {}),
    ...(present(spec.dtype) ? { dtype: text(spec.dtype, `tensors.${name}.dtype`) } : {}),
    ...(present(spec.shape) ? { shape: numbers(spec.shape, `tensors.${name}.shape`) } : {}),
    ...(present(spec.fill) && spec.fill !== 0 ? { fill: readFill(spec.fill, `tensors.${name}.fill`) } : {}),
  };
}

function readFill(value: unknown, path: string): Fill {
  if (typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))) return value;
  const found = SPELLED_FILLS.find((text) => text === value);
  if (found !== undefined) return found;
  if (typeof value === 'string' && isComplexFill(value)) return value;
  throw expected(path, `a number, true, false, ${SPELLED_FILLS.join(', ')} or 1+2j`, value);
}

function readInput(value: unknown, name: string): InputSpec {
  const entries = Object.entries(object(value, `inputs.${name}`)).filter(([, part]) => present(part));
  return Object.fromEntries(entries.map(([key, part]) => [key, inputValue(part, `inputs.${name}.${key}`)]));
}

function inputValue(value: unknown, path: string): InputValue {
  if (typeof value === 'string' || typeof value === 'number') return value;
  return numbers(value, path);
}

function readLanguage(value: unknown): ExpressionLanguage {
  const found = EXPRESSION_LANGUAGES.find((language) => language === value);
  if (found === undefined) throw expected('language', `one of ${EXPRESSION_LANGUAGES.join(', ')}`, value);
  return found;
}

function readTarget(value: unknown): Target {
  const found = TARGET_NAMES.find((target) => target === value);
  if (found === undefined) throw expected('target', `one of ${TARGET_NAMES.join(', ')}`, value);
  return found;
}

function readConversion(value: unknown): Conversion {
  const found = CONVERSIONS.find((conversion) => conversion === value);
  if (found === undefined) throw expected('options.convert', `one of ${CONVERSIONS.join(', ')}`, value);
  return found;
}

const present = (value: unknown): boolean => value !== undefined && value !== null;

function expected(path: string, what: string, found: unknown): PlanError {
  return new PlanError(`In the plan, ${path} must be ${what}, but it is ${JSON.stringify(found) ?? 'missing'}.`);
}

function object(value: unknown, path: string): Json {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) throw expected(path, 'an object', value);
  return value as Json;
}

function record<T>(value: unknown, path: string, read: (part: unknown, name: string) => T): Record<string, T> {
  const entries = Object.entries(object(value ?? {}, path));
  return Object.fromEntries(entries.map(([name, part]) => [name, read(part, name)]));
}

function text(value: unknown, path: string): string {
  if (typeof value !== 'string') throw expected(path, 'text', value);
  return value;
}

function texts(value: unknown, path: string): string[] {
  if (!Array.isArray(value)) throw expected(path, 'a list of texts', value);
  return value.map((part, index) => text(part, `${path}[${index}]`));
}

function number(value: unknown, path: string): number {
  if (typeof value !== 'number' || !Number.isFinite(value)) throw expected(path, 'a number', value);
  return value;
}

function numbers(value: unknown, path: string): number[] {
  if (!Array.isArray(value)) throw expected(path, 'a list of numbers', value);
  return value.map((part, index) => number(part, `${path}[${index}]`));
}
