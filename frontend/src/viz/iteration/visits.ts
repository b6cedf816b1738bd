/** Which nodes each access passes on its way from the outermost loop to its statement. */
import type { GraphNodeView, TensorPathView } from '../../api/types';
import { loopsOf } from '../derivation';
import type { Leaf } from './tree';
import type { IterationInput } from './types';

export interface Visit {
  readonly row: number;
  readonly variable: string;
  readonly levels: readonly number[];
  readonly iterated: boolean;
}

export interface Access {
  readonly index: number;
  readonly colour: number;
  readonly path: TensorPathView;
  readonly leaf: Leaf;
  /** From the outermost to the innermost. */
  readonly visits: readonly Visit[];
  readonly inLevelOrder: boolean;
  /** Where the access is in its statement, in characters; null when it is not found there. */
  readonly at: { readonly statement: number; readonly start: number; readonly end: number } | null;
}

export function accessesOf(input: IterationInput, leaves: readonly Leaf[]): Access[] {
  const taken = new Set<string>();
  const { paths } = input.graph;
  return paths.map((path, index) => {
    const [leaf, at] = homeOf(path, leaves, taken);
    return { index, colour: colourOf(path, index, paths), path, leaf, at, ...visitsOf(path, leaf, input) };
  });
}

/** Each operand access has its own colour; all paths of one workspace share theirs. */
function colourOf(path: TensorPathView, index: number, paths: readonly TensorPathView[]): number {
  if (path.result) return 0;
  const first = path.temporary
    ? paths.findIndex(({ temporary, tensor }) => temporary && tensor === path.tensor)
    : index;
  const before = paths
    .slice(0, first)
    .filter(
      (one, at) => !one.result && (!one.temporary || paths.findIndex(({ tensor }) => tensor === one.tensor) === at),
    );
  return 1 + before.length;
}

/** The first free occurrence of the access in a statement; each occurrence belongs to one path. */
function homeOf(path: TensorPathView, leaves: readonly Leaf[], taken: Set<string>): [Leaf, Access['at']] {
  const pattern = accessPattern(path.access);
  for (const [leafNumber, leaf] of leaves.entries()) {
    for (const [statement, text] of leaf.statements.entries()) {
      for (const match of text.matchAll(pattern)) {
        const key = `${leafNumber}:${statement}:${match.index}`;
        if (taken.has(key)) continue;
        taken.add(key);
        return [leaf, { statement, start: match.index, end: match.index + match[0].length }];
      }
    }
  }
  const wanted = new Set(path.steps.map((step) => step.variable));
  const score = (leaf: Leaf): number => leaf.chain.filter((variable) => wanted.has(variable)).length;
  const best = leaves.reduce((one, other) => (score(other) > score(one) ? other : one));
  return [best, null];
}

/** Matches the access as text, whatever the spaces: `A(i,j)` finds `A(i, j)`, and `x` does not find `max`. */
export function accessPattern(access: string): RegExp {
  const tokens = access.match(/\w+|[^\s\w]/g) ?? [];
  const body = tokens.map((token) => token.replace(/[^\w]/g, '\\$&')).join('\\s*');
  const noCall = access.includes('(') ? '' : '(?!\\s*\\()(?!\\w)';
  return new RegExp(`(?<!\\w)${body}${noCall}`, 'g');
}

function visitsOf(path: TensorPathView, leaf: Leaf, input: IterationInput): Pick<Access, 'visits' | 'inLevelOrder'> {
  const rowOf = new Map(leaf.chain.map((variable, row) => [variable, row]));
  const chain = new Set(leaf.chain);
  // A step names either an original variable or one of the loops made from it; a level is reached at its innermost loop.
  const loopsOfLevel = new Map<number, number[]>();
  for (const { variable, level } of path.steps) {
    const rows = loopsOf(variable, chain, input.relations).map((name) => rowOf.get(name) ?? 0);
    loopsOfLevel.set(level, [...(loopsOfLevel.get(level) ?? []), ...rows]);
  }
  const levels = new Map<number, number[]>();
  const reachedAt: number[] = [];
  const highest = Math.max(0, ...loopsOfLevel.keys());
  for (let level = highest; level >= 1; level -= 1) {
    const rows = loopsOfLevel.get(level) ?? [];
    for (const row of rows) if (!levels.has(row)) levels.set(row, []);
    // A level without its own loops was fused with the next one.
    const reached = rows.length > 0 ? Math.max(...rows) : reachedAt[0];
    if (reached === undefined) continue;
    levels.get(reached)?.unshift(level);
    reachedAt.unshift(reached);
  }
  const inLevelOrder = reachedAt.every((row, index) => row >= (reachedAt[index - 1] ?? 0));
  const nodes = new Map(input.graph.nodes.map((node) => [node.variable, node]));
  const visits = [...levels.keys()]
    .sort((one, other) => one - other)
    .map((row) => {
      const variable = leaf.chain[row] ?? '';
      const own = levels.get(row) ?? [];
      return { row, variable, levels: own, iterated: isIterated(nodes.get(variable), path, own) };
    });
  return { visits, inLevelOrder };
}

function isIterated(node: GraphNodeView | undefined, path: TensorPathView, levels: readonly number[]): boolean {
  const names = [path.tensor, path.access, ...levels.map((level) => `${path.tensor}${level}`)];
  return node?.iterated.some((iterator) => names.includes(iterator)) ?? false;
}
