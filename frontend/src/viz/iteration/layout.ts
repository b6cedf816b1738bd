/** Iteration graph → places of everything that is drawn. Pure: runs in a worker and in tests without a DOM. */
import { throughStretches, type Stretch } from '../curves';
import { inEachSpacing, inRows, ROOMY, type AtLeastOne, type Spacing } from '../spacing';
import { arrangeLanes, type Lanes } from './lanes';
import { labelWidth, measureLoops, type LoopBox } from './measure';
import { middleOf, placeStatements, statementWidth } from './statements';
import { buildNest, loopsInOrder, type Leaf, type Loop, type Nest } from './tree';
import type {
  IterationInput,
  IterationLayout,
  PlacedLoop,
  PlacedNesting,
  PlacedPath,
  PlacedStatement,
  Station,
} from './types';
import { accessesOf, type Access } from './visits';

/** One drawing of a graph for each spacing, and for each number of rows that its outermost loops can stand in. */
export const drawIteration = (input: IterationInput): AtLeastOne<IterationLayout> => inEachSpacing(drawerOf(input));

/** The graph in the usual spacing. */
export const layoutIteration = (input: IterationInput): IterationLayout => drawerOf(input)(ROOMY)[0];

function drawerOf(input: IterationInput): (spacing: Spacing) => AtLeastOne<IterationLayout> {
  const nest = buildNest(input.graph);
  const accesses = accessesOf(input, nest.leaves);
  const lanes = arrangeLanes(accesses);
  const parts = outermostParts(nest);
  return (spacing) => inRows(parts, (rows) => place(input, rows.map(joined), accesses, lanes, spacing));
}

/** What stands side by side at the top: an outermost loop with all that is in it, or statements in no loop. */
function outermostParts({ roots, leaves }: Nest): Nest[] {
  const order = (leaf: Leaf | undefined): number => (leaf === undefined ? leaves.length : leaves.indexOf(leaf));
  const loops = roots.map((root) => ({
    roots: [root],
    leaves: leaves.filter(({ chain }) => chain[0] === root.node.variable),
  }));
  const bare = leaves.filter(({ chain }) => chain.length === 0).map((leaf) => ({ roots: [], leaves: [leaf] }));
  return [...loops, ...bare].sort((one, other) => order(one.leaves[0]) - order(other.leaves[0]));
}

const joined = (parts: readonly Nest[]): Nest => ({
  roots: parts.flatMap(({ roots }) => roots),
  leaves: parts.flatMap(({ leaves }) => leaves),
});

function place(
  input: IterationInput,
  rows: readonly Nest[],
  accesses: readonly Access[],
  lanes: Lanes,
  spacing: Spacing,
): IterationLayout {
  const loops = rows.flatMap(({ roots }) => loopsInOrder(roots));
  const boxes = measureLoops(loops, accesses, lanes, input.variables, spacing);
  const placed = new Map<string, PlacedLoop>();
  const statements = new Map<Leaf, PlacedStatement[]>();
  let bottom = spacing.margin;
  let width = 0;
  for (const { roots, leaves } of rows) {
    const top = bottom;
    const rowY = placeRows(loopsInOrder(roots), boxes, top, spacing);
    const columns = placeColumns(roots, leaves, boxes, accesses, spacing);
    for (const loop of loopsInOrder(roots)) {
      const { variable } = loop.node;
      const box = boxes.get(variable);
      if (box) placed.set(variable, placeLoop(box, columns.nodeX.get(variable) ?? 0, rowY[loop.row] ?? 0, spacing));
    }
    for (const leaf of leaves) {
      const last = placed.get(leaf.chain.at(-1) ?? '');
      const under = last ? last.y + spacing.halfHeight + spacing.leafGap : top;
      statements.set(leaf, placeStatements(leaf, accesses, columns.statementX.get(leaf) ?? 0, under, spacing));
    }
    width = Math.max(width, columns.width);
    bottom = Math.max(
      bottom,
      ...loopsInOrder(roots).map(({ node }) => (placed.get(node.variable)?.y ?? 0) + spacing.halfHeight),
      ...leaves.flatMap((leaf) => (statements.get(leaf) ?? []).map((one) => one.y + one.height)),
    );
    bottom += spacing.branchGap;
  }
  return {
    root: placed.get(loops[0]?.node.variable ?? ''),
    width,
    height: Math.max(0, bottom - spacing.branchGap) + spacing.margin,
    loops: [...boxes.keys()].flatMap((variable) => placed.get(variable) ?? []),
    nestings: onceEach(
      rows.flatMap(({ leaves }) => leaves.flatMap((leaf) => nestingsOf(leaf, placed, statements.get(leaf)?.[0]))),
    ),
    paths: accesses
      .filter((access) => access.visits.length > 0)
      .map((access) => placePath(access, boxes, placed, statements.get(access.leaf) ?? [], spacing)),
    statements: rows.flatMap(({ leaves }) => leaves.flatMap((leaf) => statements.get(leaf) ?? [])),
  };
}

function placeRows(
  loops: readonly Loop[],
  boxes: ReadonlyMap<string, LoopBox>,
  top: number,
  { gap, shift, entry, labelHeight, halfHeight }: Spacing,
): number[] {
  const depth = Math.max(-1, ...loops.map((loop) => loop.row));
  const rows: number[] = [];
  let y = top;
  for (let row = 0; row <= depth; row += 1) {
    const labels = loops.some((loop) => loop.row === row && boxes.get(loop.node.variable)?.hasLabels);
    if (labels) y += (row === 0 ? 0 : shift) + labelHeight + entry;
    else y += row === 0 ? 0 : gap;
    rows.push(y + halfHeight);
    y += 2 * halfHeight;
  }
  return rows;
}

interface Columns {
  readonly nodeX: Map<string, number>;
  readonly statementX: Map<Leaf, number>;
  readonly width: number;
}

/** A parent is over the middle of its children; subtrees stand side by side. */
function placeColumns(
  roots: readonly Loop[],
  leaves: readonly Leaf[],
  boxes: ReadonlyMap<string, LoopBox>,
  accesses: readonly Access[],
  spacing: Spacing,
): Columns {
  const nodeX = new Map<string, number>();
  const statementX = new Map<Leaf, number>();
  const leafOf = new Map(leaves.map((leaf) => [leaf.chain.at(-1) ?? '', leaf]));

  interface Extent {
    readonly left: number;
    readonly right: number;
    readonly place: (x: number) => void;
  }
  const beside = (parts: readonly Extent[]): Extent => {
    if (parts.length === 0) return { left: 0, right: 0, place: () => undefined };
    const centres: number[] = [];
    let x = 0;
    for (const part of parts) {
      centres.push(x + part.left);
      x += part.left + part.right + spacing.branchGap;
    }
    const middle = ((centres[0] ?? 0) + (centres.at(-1) ?? 0)) / 2;
    return {
      left: middle,
      right: x - spacing.branchGap - middle,
      place: (at) => parts.forEach((part, index) => part.place(at + (centres[index] ?? 0) - middle)),
    };
  };
  const extentOf = (loop: Loop): Extent => {
    const box = boxes.get(loop.node.variable);
    const below = beside(partsBelow(loop.children, loop.node.variable));
    return {
      left: Math.max(box?.left ?? 0, below.left),
      right: Math.max(box?.right ?? 0, below.right),
      place: (x) => {
        nodeX.set(loop.node.variable, x);
        below.place(x);
      },
    };
  };
  const statementExtent = (leaf: Leaf): Extent => {
    const half = statementWidth(leaf, accesses, spacing) / 2;
    return { left: half, right: half, place: (x) => statementX.set(leaf, x) };
  };
  /** Loops and statements that stand directly below a loop (or below none), in the order in which they run. */
  const partsBelow = (children: readonly Loop[], variable: string): Extent[] => {
    const own = leafOf.get(variable);
    const parts = children.map((child) => ({
      at: leaves.findIndex(({ chain }) => chain.includes(child.node.variable)),
      extent: extentOf(child),
    }));
    if (own) parts.push({ at: leaves.indexOf(own), extent: statementExtent(own) });
    return parts.sort((one, other) => one.at - other.at).map(({ extent }) => extent);
  };
  const whole = beside(partsBelow(roots, ''));
  whole.place(spacing.margin + whole.left);
  return { nodeX, statementX, width: whole.left + whole.right + 2 * spacing.margin };
}

function placeLoop(box: LoopBox, x: number, y: number, { halfHeight }: Spacing): PlacedLoop {
  const { node } = box.loop;
  return {
    variable: node.variable,
    parent: node.parent,
    depth: box.loop.row,
    space: box.variable?.space ?? 'coordinate',
    reduction: box.variable?.reduction ?? false,
    merge: node.merge,
    badges: box.badges,
    iteration: box.iteration,
    note: box.note,
    x,
    y,
    halfWidth: box.halfWidth,
    halfHeight,
    noteX: box.noteX,
  };
}

/** Branches share the stretches above the loop at which they part. */
function onceEach(nestings: readonly PlacedNesting[]): PlacedNesting[] {
  return [...new Map(nestings.map((nesting) => [nesting.key, nesting])).values()];
}

function nestingsOf(
  leaf: Leaf,
  placed: ReadonlyMap<string, PlacedLoop>,
  statement: PlacedStatement | undefined,
): PlacedNesting[] {
  return leaf.chain.flatMap((variable, row) => {
    const from = placed.get(variable);
    const to = placed.get(leaf.chain[row + 1] ?? '');
    if (!from) return [];
    const start: Stretch = { x: from.x, top: from.y, bottom: from.y + from.halfHeight };
    if (to) {
      const end: Stretch = { x: to.x, top: to.y - to.halfHeight, bottom: to.y };
      return [{ key: `${variable} ${to.variable}`, data: throughStretches([start, end]) }];
    }
    if (!statement) return [];
    const end: Stretch = { x: from.x, top: statement.y, bottom: statement.y };
    return [{ key: `${variable} statement`, data: throughStretches([start, end]) }];
  });
}

/** Height of the node's rim above its centre at `x` from the centre. */
export function rimAbove(node: Pick<PlacedLoop, 'space' | 'halfWidth' | 'halfHeight'>, x: number): number {
  if (node.space === 'position') return node.halfHeight;
  const beyond = Math.max(0, Math.abs(x) - (node.halfWidth - node.halfHeight));
  return Math.sqrt(Math.max(0, node.halfHeight ** 2 - beyond ** 2));
}

function placePath(
  access: Access,
  boxes: ReadonlyMap<string, LoopBox>,
  placed: ReadonlyMap<string, PlacedLoop>,
  statements: readonly PlacedStatement[],
  { entry, labelHeight }: Spacing,
): PlacedPath {
  const { index, path, leaf, visits } = access;
  const first = visits[0]?.row ?? 0;
  const last = access.at ? leaf.chain.length - 1 : (visits.at(-1)?.row ?? 0);
  const stretches: Stretch[] = [];
  const stations: Station[] = [];
  let label = { x: 0, y: 0, width: labelWidth(access), height: labelHeight };
  for (let row = first; row <= last; row += 1) {
    const variable = leaf.chain[row] ?? '';
    const box = boxes.get(variable);
    const node = placed.get(variable);
    if (!box || !node) continue;
    const x = node.x + (box.laneX.get(index) ?? 0);
    const labelTop = node.y - node.halfHeight - entry - labelHeight;
    if (box.hasLabels) {
      const labelX = node.x + (box.labelX.get(index) ?? 0);
      const top = row === first ? labelTop + labelHeight : labelTop;
      stretches.push({ x: labelX, top, bottom: labelTop + labelHeight });
      if (row === first) label = { ...label, x: labelX - label.width / 2, y: labelTop };
    }
    const visit = visits.find((one) => one.row === row);
    const rim = node.y - rimAbove(node, x - node.x);
    const ends = row === last && !access.at;
    stretches.push({ x, top: node.y - node.halfHeight, bottom: ends ? rim : node.y + node.halfHeight });
    if (visit) stations.push({ variable, x, y: rim, levels: visit.levels, iterated: visit.iterated });
  }
  const target = access.at ? statements[access.at.statement] : undefined;
  let end = { x: stretches.at(-1)?.x ?? 0, y: stretches.at(-1)?.bottom ?? 0 };
  if (target && access.at) {
    end = { x: middleOf(target, access.at.start), y: statements[0]?.y ?? target.y };
    stretches.push({ x: end.x, top: end.y - 4, bottom: end.y });
  }
  return {
    index,
    colour: access.colour,
    tensor: path.tensor,
    access: path.access,
    result: path.result,
    temporary: path.temporary,
    data: throughStretches(stretches),
    label,
    stations,
    inLevelOrder: access.inLevelOrder,
    end,
    reachesStatement: target !== undefined,
  };
}
