/**
 * Numbers for the provenance graph at one step of a traced run: values, bounds and recovery formulas
 * (docs/sources.toml V3).
 */
import type { CompileView, TraceView } from '../../api/types';
import { evaluateBounds, withNumbers } from './formulas';
import type { Domain, Numbers } from './formulas';

export interface NodeNumbers {
  /** What the interpreter holds now. */
  readonly value: number | null;
  /** Bounds propagated from the sizes of the traced operands. */
  readonly domain: Domain | null;
  /** The recovery formula with the numbers of this step. */
  readonly recovery: string | null;
}

type Scalars = ReadonlyMap<string, number | boolean | string>;

/** By variable. `scalars` are those of the kernel after step `index`. */
export function provenanceNumbers(
  result: CompileView,
  trace: TraceView,
  scalars: Scalars,
  index: number,
): ReadonlyMap<string, NodeNumbers> {
  const values = valuesNow(result, trace, scalars, index);
  const domains = new Map<string, Domain>();
  const sizes = sizesOf(result, trace);
  const numbers: Numbers = {
    name: (name) => values.get(name) ?? endOf(name, domains, sizes),
    call: (name, argument) => searched(name, argument, result, trace, values),
  };
  for (const variable of result.variables) {
    const size = sizes.get(variable.name);
    if (variable.underived && size !== undefined) domains.set(variable.name, { lower: 0, upper: size });
  }
  for (const relation of result.provenance?.relations ?? []) {
    relation.children.forEach((child, place) => {
      const domain = evaluateBounds(relation.bounds[place] ?? '', numbers);
      if (domain !== null) domains.set(child, domain);
    });
  }
  return new Map(
    result.variables.map(({ name, recovery }) => [
      name,
      {
        value: values.get(name) ?? null,
        domain: domains.get(name) ?? null,
        recovery: recovery === null ? null : withNumbers(recovery, numbers),
      },
    ]),
  );
}

/**
 * Scalars of the kernel that stand for index variables; where the step computes, the coordinates it computes at. The
 * producer of a workspace computes at its own copies of variables: what the consumer's loops hold stays as it is.
 */
function valuesNow(result: CompileView, trace: TraceView, scalars: Scalars, index: number): Map<string, number> {
  const step = trace.steps[index];
  const copied = new Set(
    result.provenance?.relations.flatMap(({ workspace, parents }) => (workspace === null ? [] : parents)),
  );
  const visit = Object.entries(step?.visit ?? {}).filter(([name]) => !copied.has(name));
  const known = [...scalars, ...Object.entries(step?.worker ?? {}), ...visit];
  const names = new Set(result.variables.map(({ name }) => name));
  return new Map(
    known.flatMap(([name, value]) => (names.has(name) && typeof value === 'number' ? [[name, value] as const] : [])),
  );
}

/** The size of each dimension, by the index variable of the expression. */
function sizesOf(result: CompileView, trace: TraceView): Map<string, number> {
  const sizes = new Map<string, number>();
  for (const { name, dimensions } of result.tensors) {
    const shape = trace.tensors.find(({ tensor }) => tensor === name)?.shape ?? [];
    dimensions.forEach((variable, dimension) => {
      const size = shape[dimension];
      if (size !== undefined) sizes.set(variable, size);
    });
  }
  return sizes;
}

/** `i_min`, `i_max` and `i_size`. */
function endOf(
  name: string,
  domains: ReadonlyMap<string, Domain>,
  sizes: ReadonlyMap<string, number>,
): number | undefined {
  const [, variable = '', end] = /^(\w+)_(min|max|size)$/.exec(name) ?? [];
  if (end === 'min') return domains.get(variable)?.lower;
  if (end === 'max') return domains.get(variable)?.upper;
  return sizes.get(variable);
}

/**
 * `searchceil_A(c)`: the first stored position at coordinate c or after it; `search_A(c)`: the last one at c or before
 * it. c counts the coordinates of the fused variables together; dimensions stored above them stand at their value now.
 */
function searched(
  call: string,
  coordinate: number,
  result: CompileView,
  trace: TraceView,
  values: ReadonlyMap<string, number>,
): number | undefined {
  const [, kind, name] = /^(searchceil|search)_(\w+)$/.exec(call) ?? [];
  const tensor = result.tensors.find((one) => one.name === name);
  const stored = trace.tensors.find((one) => one.tensor === name);
  const relations = result.provenance?.relations ?? [];
  const position = relations.find((one) => one.kind === 'pos' && one.bounds[0]?.includes(`${call}(`));
  if (tensor === undefined || stored === undefined || position === undefined) return undefined;
  const fused = originals(position.parents[0] ?? '', result);
  const order = tensor.levels.map(({ dimension }) => dimension);
  const inner = order.slice(order.length - fused.length);
  // Only positions of the last level are positions of the values.
  if (inner.map((dimension) => tensor.dimensions[dimension]).join() !== fused.join()) return undefined;
  const outer = order.slice(0, order.length - fused.length);
  const here = outer.map((dimension) => values.get(tensor.dimensions[dimension] ?? ''));
  if (here.includes(undefined)) return undefined;
  const wanted = [...here, coordinate] as number[];
  const keyOf = (entry: readonly number[]): number[] => [
    ...outer.map((dimension) => entry[dimension] ?? 0),
    inner.reduce((sum, dimension) => sum * (stored.shape[dimension] ?? 1) + (entry[dimension] ?? 0), 0),
  ];
  let before = 0;
  for (const entry of stored.coordinates) {
    const place = compare(keyOf(entry), wanted);
    if (place < 0 || (place === 0 && kind === 'search')) before += 1;
  }
  return kind === 'search' ? before - 1 : before;
}

/** The variables of the expression that a fused variable holds, outermost first. */
function originals(variable: string, result: CompileView): string[] {
  const maker = result.provenance?.relations.find(({ children }) => children.includes(variable));
  if (maker === undefined) return [variable];
  return maker.kind === 'fuse' ? maker.parents.flatMap((parent) => originals(parent, result)) : [];
}

function compare(left: readonly number[], right: readonly number[]): number {
  const place = left.findIndex((value, index) => value !== right[index]);
  return place < 0 ? 0 : (left[place] ?? 0) - (right[place] ?? 0);
}
