/** The loop nest as a tree: who is inside whom, and which statements stand at which leaf. */
import type { GraphNodeView, IterationGraphView } from '../../api/types';

export interface Loop {
  readonly node: GraphNodeView;
  readonly row: number;
  readonly children: readonly Loop[];
}

export interface Leaf {
  /** Variables from the outermost loop to the innermost around the statements. */
  readonly chain: readonly string[];
  readonly statements: readonly string[];
}

export interface Nest {
  readonly roots: readonly Loop[];
  readonly leaves: readonly Leaf[];
}

export function buildNest(graph: IterationGraphView): Nest {
  const grow = (parent: string | null, row: number): Loop[] =>
    graph.nodes
      .filter((node) => node.parent === parent)
      .map((node) => ({ node, row, children: grow(node.variable, row + 1) }));
  const roots = grow(null, 0);

  const chains: string[][] = [];
  const walk = (loop: Loop, above: readonly string[]): void => {
    const chain = [...above, loop.node.variable];
    if (loop.children.length === 0) chains.push(chain);
    loop.children.forEach((child) => walk(child, chain));
  };
  roots.forEach((root) => walk(root, []));
  if (chains.length === 0) chains.push([]);

  // One statement for each leaf, in order; when the numbers differ, the surplus stands at the last leaf.
  const last = chains.length - 1;
  const leaves = chains.map((chain, index) => ({
    chain,
    statements: index < last ? graph.statements.slice(index, index + 1) : graph.statements.slice(last),
  }));
  return { roots, leaves };
}

export function loopsInOrder(roots: readonly Loop[]): Loop[] {
  return roots.flatMap((loop) => [loop, ...loopsInOrder(loop.children)]);
}
