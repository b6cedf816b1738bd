/** A merge lattice as a Hasse diagram: sets of operands, larger ones above, lines between neighbours. Pure geometry. */
import type { LatticeView } from '../../api/types';
import { codeWidth } from '../text-width';
import { keyOf, setLabel } from './points';

export interface HasseNode {
  /** The operands, as one text. */
  readonly key: string;
  readonly label: string;
  readonly iterators: readonly string[];
  /** What the point computes; null for a set that has no point. */
  readonly expression: string | null;
  /** Why there is no point; null where there is one. */
  readonly reason: string | null;
  readonly rule: string | null;
  /** Which loop runs for the point, from 1 in the order of the loops; null without a point. */
  readonly loop: number | null;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface HasseLayout {
  readonly width: number;
  readonly height: number;
  readonly nodes: readonly HasseNode[];
  /** From the larger set down to the smaller. */
  readonly edges: readonly { readonly from: HasseNode; readonly to: HasseNode }[];
}

const NODE_HEIGHT = 40;
const LABEL_SIZE = 13;
const EXPRESSION_SIZE = 12;
const PADDING = 12;
const GAP = 16;
const ROW = 78;
const MARGIN = 14;

export function layoutHasse(lattice: LatticeView): HasseLayout {
  const sets = [
    ...lattice.points.map((point, index) => ({ ...point, reason: null, rule: null, loop: index + 1 })),
    ...lattice.pruned.map((one) => ({ ...one, expression: null, loop: null })),
  ];
  const rows = [...new Set(sets.map(({ iterators }) => iterators.length))].sort((one, other) => other - one);
  const drafts = sets.map((set) => {
    const label = setLabel(set.iterators);
    const below = set.expression ?? (set.rule === 'density' ? 'never happens' : 'no case');
    const text = Math.max(codeWidth(label, LABEL_SIZE), codeWidth(below, EXPRESSION_SIZE));
    return { ...set, label, width: text + 2 * PADDING, row: rows.indexOf(set.iterators.length) };
  });
  const rowWidth = (row: number): number => {
    const own = drafts.filter((draft) => draft.row === row);
    return own.reduce((sum, draft) => sum + draft.width, 0) + GAP * Math.max(0, own.length - 1);
  };
  const width = Math.max(0, ...rows.map((_, row) => rowWidth(row))) + 2 * MARGIN;
  const nodes: HasseNode[] = [];
  rows.forEach((_, row) => {
    let x = (width - rowWidth(row)) / 2;
    // The same order in every row, by what is missing, so that few lines cross.
    const own = drafts.filter((draft) => draft.row === row);
    const order = drafts.find((draft) => draft.row === 0)?.iterators ?? [];
    const rank = (iterators: readonly string[]): number =>
      iterators.reduce((sum, name) => sum + 2 ** (order.length - order.indexOf(name)), 0);
    for (const draft of own.sort((one, other) => rank(other.iterators) - rank(one.iterators))) {
      nodes.push({
        key: keyOf(draft.iterators),
        label: draft.label,
        iterators: draft.iterators,
        expression: draft.expression,
        reason: draft.reason,
        rule: draft.rule,
        loop: draft.loop,
        x: x + draft.width / 2,
        y: MARGIN + NODE_HEIGHT / 2 + row * ROW,
        width: draft.width,
        height: NODE_HEIGHT,
      });
      x += draft.width + GAP;
    }
  });
  return { width, height: rows.length * ROW - (ROW - NODE_HEIGHT) + 2 * MARGIN, nodes, edges: coversOf(nodes) };
}

/** Pairs of sets, one inside the other, with none between them. */
function coversOf(nodes: readonly HasseNode[]): { from: HasseNode; to: HasseNode }[] {
  const sets = nodes.map((node) => new Set(node.iterators));
  const inside = (small: number, large: number): boolean =>
    (sets[small]?.size ?? 0) < (sets[large]?.size ?? 0) &&
    [...(sets[small] ?? [])].every((name) => sets[large]?.has(name));
  const edges: { from: HasseNode; to: HasseNode }[] = [];
  nodes.forEach((from, large) =>
    nodes.forEach((to, small) => {
      if (!inside(small, large)) return;
      if (nodes.some((_, between) => inside(small, between) && inside(between, large))) return;
      edges.push({ from, to });
    }),
  );
  return edges;
}
