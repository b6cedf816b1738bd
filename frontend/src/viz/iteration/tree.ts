/** The loop nest as a tree: who is inside whom, and which statements stand at which leaf. */
import type { GraphNodeView, IterationGraphView } from '../../api/types';

export interface Loop {
  readonly node: GraphNodeView;
  readonly row: number;
  readonly children: readonly Loop[];
}

export interface Leaf {
  /** Variables from the outermost loop to the innermost around the statements; there may be loops next to these. */
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

  // Statements with the same loops around them stand together, where the first of them stands.
  const leaves: { readonly chain: readonly string[]; readonly statements: string[] }[] = [];
  graph.statements.forEach((statement, index) => {
    const chain = graph.chains[index] ?? [];
    const leaf = leaves.find((one) => one.chain.join(' ') === chain.join(' '));
    if (leaf) leaf.statements.push(statement);
    else leaves.push({ chain, statements: [statement] });
  });
  return { roots, leaves };
}

export function loopsInOrder(roots: readonly Loop[]): Loop[] {
  return roots.flatMap((loop) => [loop, ...loopsInOrder(loop.children)]);
}
