/** Iteration graph → places of everything that is drawn. Pure: runs in a worker and in tests without a DOM. */
import { throughStretches, type Stretch } from '../curves';
import { codeWidth } from '../text-width';
import { arrangeLanes } from './lanes';
import {
  HALF_HEIGHT,
  LABEL_HEIGHT,
  STATEMENT_LINE,
  STATEMENT_SIZE,
  labelWidth,
  measureLoops,
  type LoopBox,
} from './measure';
import { buildNest, loopsInOrder, type Leaf, type Loop } from './tree';
import type {
  IterationInput,
  IterationLayout,
  PlacedLoop,
  PlacedNesting,
  PlacedPath,
  PlacedStatement,
  Station,
  StatementPart,
} from './types';
import { accessesOf, type Access } from './visits';

const MARGIN = 12;
const GAP = 30; // between two nodes
const SHIFT = 24; // part of a gap with labels in which lanes change places, above the labels
const ENTRY = 24; // below the labels
const LEAF_GAP = 36;
const BRANCH_GAP = 28;
const STATEMENT_PADDING = 12;

export function layoutIteration(input: IterationInput): IterationLayout {
  const nest = buildNest(input.graph);
  const loops = loopsInOrder(nest.roots);
  const accesses = accessesOf(input, nest.leaves);
  const boxes = measureLoops(loops, accesses, arrangeLanes(accesses), input.variables);
  const rowY = placeRows(loops, boxes);
  const { nodeX, statementX, width } = placeColumns(nest.roots, nest.leaves, boxes);

  const placed = new Map<string, PlacedLoop>();
  for (const [variable, box] of boxes) {
    placed.set(variable, placeLoop(box, nodeX.get(variable) ?? 0, rowY[box.loop.row] ?? 0));
  }
  const statements = new Map<Leaf, PlacedStatement[]>();
  for (const leaf of nest.leaves) {
    const last = placed.get(leaf.chain.at(-1) ?? '');
    const top = last ? last.y + HALF_HEIGHT + LEAF_GAP : MARGIN;
    statements.set(leaf, placeStatements(leaf, accesses, statementX.get(leaf) ?? 0, top));
  }
  const drawn = [...statements.values()].flat();
  const bottoms = [
    ...[...placed.values()].map((node) => node.y + HALF_HEIGHT),
    ...drawn.map((one) => one.y + one.height),
  ];
  return {
    width,
    height: Math.max(0, ...bottoms) + MARGIN,
    loops: [...placed.values()],
    nestings: onceEach(nest.leaves.flatMap((leaf) => nestingsOf(leaf, placed, statements.get(leaf)?.[0]))),
    paths: accesses
      .filter((access) => access.visits.length > 0)
      .map((access) => placePath(access, boxes, placed, statements.get(access.leaf) ?? [])),
    statements: drawn,
  };
}

function placeRows(loops: readonly Loop[], boxes: ReadonlyMap<string, LoopBox>): number[] {
  const depth = Math.max(-1, ...loops.map((loop) => loop.row));
  const rows: number[] = [];
  let y = MARGIN;
  for (let row = 0; row <= depth; row += 1) {
    const labels = loops.some((loop) => loop.row === row && boxes.get(loop.node.variable)?.hasLabels);
    if (labels) y += (row === 0 ? 0 : SHIFT) + LABEL_HEIGHT + ENTRY;
    else y += row === 0 ? 0 : GAP;
    rows.push(y + HALF_HEIGHT);
    y += 2 * HALF_HEIGHT;
  }
  return rows;
}

interface Columns {
  readonly nodeX: Map<string, number>;
  readonly statementX: Map<Leaf, number>;
  readonly width: number;
}

/** A parent is over the middle of its children; subtrees stand side by side. */
function placeColumns(roots: readonly Loop[], leaves: readonly Leaf[], boxes: ReadonlyMap<string, LoopBox>): Columns {
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
      x += part.left + part.right + BRANCH_GAP;
    }
    const middle = ((centres[0] ?? 0) + (centres.at(-1) ?? 0)) / 2;
    return {
      left: middle,
      right: x - BRANCH_GAP - middle,
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
    const half = statementWidth(leaf) / 2;
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
  whole.place(MARGIN + whole.left);
  return { nodeX, statementX, width: whole.left + whole.right + 2 * MARGIN };
}

function placeLoop(box: LoopBox, x: number, y: number): PlacedLoop {
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
    x,
    y,
    halfWidth: box.halfWidth,
    halfHeight: HALF_HEIGHT,
    noteX: box.noteX,
  };
}

const statementWidth = (leaf: Leaf): number =>
  Math.max(0, ...leaf.statements.map((text) => codeWidth(text, STATEMENT_SIZE))) + 2 * STATEMENT_PADDING;

function placeStatements(leaf: Leaf, accesses: readonly Access[], x: number, top: number): PlacedStatement[] {
  const width = statementWidth(leaf);
  const height = STATEMENT_LINE + 10;
  return leaf.statements.map((text, index) => ({
    text,
    parts: partsOf(
      text,
      x - codeWidth(text, STATEMENT_SIZE) / 2,
      accesses.filter((access) => access.leaf === leaf && access.at?.statement === index),
    ),
    x: x - width / 2,
    y: top + index * (height + 6),
    width,
    height,
  }));
}

/** Cuts a statement into accesses and what stands between them; `left` is the x of its first character. */
function partsOf(text: string, left: number, accesses: readonly Access[]): StatementPart[] {
  const parts: StatementPart[] = [];
  const add = (start: number, end: number, access: StatementPart['access']): void => {
    if (start === end) return;
    const piece = text.slice(start, end);
    const x = left + codeWidth(text.slice(0, start), STATEMENT_SIZE);
    parts.push({ text: piece, x, width: codeWidth(piece, STATEMENT_SIZE), access });
  };
  let done = 0;
  const ordered = [...accesses].sort((one, other) => (one.at?.start ?? 0) - (other.at?.start ?? 0));
  for (const { at, colour, path } of ordered) {
    if (!at || at.start < done) continue;
    add(done, at.start, null);
    add(at.start, at.end, { tensor: path.tensor, colour });
    done = at.end;
  }
  add(done, text.length, null);
  return parts;
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
    const start: Stretch = { x: from.x, top: from.y, bottom: from.y + HALF_HEIGHT };
    if (to) {
      const end: Stretch = { x: to.x, top: to.y - HALF_HEIGHT, bottom: to.y };
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
): PlacedPath {
  const { index, path, leaf, visits } = access;
  const first = visits[0]?.row ?? 0;
  const last = access.at ? leaf.chain.length - 1 : (visits.at(-1)?.row ?? 0);
  const stretches: Stretch[] = [];
  const stations: Station[] = [];
  let label = { x: 0, y: 0, width: labelWidth(access), height: LABEL_HEIGHT };
  for (let row = first; row <= last; row += 1) {
    const variable = leaf.chain[row] ?? '';
    const box = boxes.get(variable);
    const node = placed.get(variable);
    if (!box || !node) continue;
    const x = node.x + (box.laneX.get(index) ?? 0);
    const labelTop = node.y - HALF_HEIGHT - ENTRY - LABEL_HEIGHT;
    if (box.hasLabels) {
      const labelX = node.x + (box.labelX.get(index) ?? 0);
      const top = row === first ? labelTop + LABEL_HEIGHT : labelTop;
      stretches.push({ x: labelX, top, bottom: labelTop + LABEL_HEIGHT });
      if (row === first) label = { ...label, x: labelX - label.width / 2, y: labelTop };
    }
    const visit = visits.find((one) => one.row === row);
    const rim = node.y - rimAbove(node, x - node.x);
    const ends = row === last && !access.at;
    stretches.push({ x, top: node.y - HALF_HEIGHT, bottom: ends ? rim : node.y + HALF_HEIGHT });
    if (visit) stations.push({ variable, x, y: rim, levels: visit.levels, iterated: visit.iterated });
  }
  const target = access.at ? statements[access.at.statement] : undefined;
  let end = { x: stretches.at(-1)?.x ?? 0, y: stretches.at(-1)?.bottom ?? 0 };
  if (target && access.at) {
    const characters = (access.at.start + access.at.end) / 2;
    const x = target.x + target.width / 2 - codeWidth(target.text, STATEMENT_SIZE) / 2;
    end = { x: x + codeWidth('0', STATEMENT_SIZE) * characters, y: statements[0]?.y ?? target.y };
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
