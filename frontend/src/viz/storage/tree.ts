/** The coordinate tree as places on a plane: one column for each leaf or empty node, one row for each level. */
import type { StoredTensorView } from '../../api/types';
import type { StorageModel } from './marks';

/** Width of a leaf's column where there is room, and where there is little. */
const COLUMN = { usual: 30, least: 18, padding: 6 };
/** Of a character in the tree: 11.5 px of the code font. */
const CHARACTER = 6.9;
export const ROW = 42;
export const RADIUS = 12;
export const LABELS = 92;
const MARGIN = 8;
const TOP = 18;

export interface TreeNode {
  readonly depth: number;
  readonly position: number;
  readonly x: number;
  readonly y: number;
  /** What is in the node: a coordinate, or nothing in a slot that holds none. */
  readonly text: string;
}

export interface TreeValue {
  readonly position: number;
  readonly x: number;
  readonly y: number;
  readonly text: string;
  readonly entry: boolean;
}

export interface TreeEdge {
  readonly key: string;
  readonly data: string;
}

export interface TreeLayout {
  readonly width: number;
  readonly height: number;
  /** What a leaf has of the width. */
  readonly column: number;
  readonly radius: number;
  readonly root: { readonly x: number; readonly y: number };
  readonly nodes: readonly TreeNode[];
  readonly values: readonly TreeValue[];
  readonly edges: readonly TreeEdge[];
  /** Where the name of each level stands. */
  readonly rows: readonly number[];
}

/** `room` is the width that there is: a tree of many leaves draws them closer, as far as their texts allow. */
export function treeLayout(model: StorageModel, room: number): TreeLayout {
  const { tensor } = model;
  const column = columnWidth(model, room);
  const radius = Math.min(RADIUS, (column - 2) / 2);
  const depths = tensor.levels.length;
  const xs: Map<number, number>[] = tensor.levels.map(() => new Map<number, number>());
  let columns = 0;
  const place = (depth: number, position: number): number => {
    const below = depth + 1 < depths ? (model.children[depth]?.get(position) ?? []) : [];
    const centres = below.map((child) => place(depth + 1, child));
    const first = centres[0];
    const last = centres.at(-1);
    const x = first === undefined || last === undefined ? LABELS + (columns++ + 0.5) * column : (first + last) / 2;
    xs[depth]?.set(position, x);
    return x;
  };
  const tops = (tensor.levels[0]?.node_positions ?? []).map((position) => place(0, position));
  const width = LABELS + Math.max(columns, 1) * column + MARGIN;
  const rootX = tops.length > 0 ? ((tops[0] ?? 0) + (tops.at(-1) ?? 0)) / 2 : LABELS + column / 2;
  const root = { x: rootX, y: TOP };
  const y = (depth: number): number => TOP + (depth + 1) * ROW;
  const nodes: TreeNode[] = [];
  const edges: TreeEdge[] = [];
  tensor.levels.forEach((level, depth) => {
    level.node_positions.forEach((position, index) => {
      const x = xs[depth]?.get(position) ?? 0;
      const coordinate = level.node_coordinates[index] ?? 0;
      nodes.push({ depth, position, x, y: y(depth), text: coordinate < 0 ? '' : String(coordinate) });
      const parent = level.node_parents[index] ?? 0;
      const from = depth === 0 ? root : { x: xs[depth - 1]?.get(parent) ?? 0, y: y(depth - 1) };
      edges.push({
        key: `${depth} ${position}`,
        data: link(from.x, from.y + (depth === 0 ? RADIUS : radius), x, y(depth) - radius),
      });
    });
  });
  return {
    width,
    height: y(depths) + 6,
    column,
    radius,
    root,
    nodes,
    values: treeValues(tensor, xs, rootX, y(depths) - 10),
    edges,
    rows: tensor.levels.map((_, depth) => y(depth)),
  };
}

/** As wide as usual where the whole tree fits then, else as wide as its longest text needs. */
function columnWidth({ tensor, children }: StorageModel, room: number): number {
  const childless = (depth: number) => (position: number) => (children[depth]?.get(position) ?? []).length === 0;
  const leaves = tensor.levels.flatMap(({ node_positions }, depth) => node_positions.filter(childless(depth))).length;
  const longest = Math.max(1, ...tensor.leaves.map(({ value }) => shortNumber(value).length));
  const least = Math.max(COLUMN.least, Math.ceil(longest * CHARACTER) + COLUMN.padding);
  const fitting = Math.floor((room - LABELS - MARGIN) / Math.max(1, leaves));
  return Math.max(least, Math.min(COLUMN.usual, fitting));
}

function treeValues(
  tensor: StoredTensorView,
  xs: readonly ReadonlyMap<number, number>[],
  rootX: number,
  y: number,
): TreeValue[] {
  const last = xs.at(-1);
  return tensor.leaves.map(({ position, value, entry }) => ({
    position,
    x: last?.get(position) ?? rootX,
    y,
    text: shortNumber(value),
    entry,
  }));
}

function link(x1: number, y1: number, x2: number, y2: number): string {
  const middle = (y1 + y2) / 2;
  return `M${round(x1)} ${round(y1)}C${round(x1)} ${round(middle)} ${round(x2)} ${round(middle)} ${round(x2)} ${round(y2)}`;
}

const round = (value: number): number => Math.round(value * 10) / 10;

/** At most five characters; the full number is in the element's label. */
export function shortNumber(value: number | string | boolean): string {
  if (typeof value === 'string') return value.length > 5 ? `${value.slice(0, 4)}…` : value;
  if (typeof value === 'boolean') return value ? '1' : '0';
  const text = String(value);
  if (text.length <= 5) return text;
  const size = Math.abs(value);
  return size >= 0.01 && size < 1000 ? value.toPrecision(2) : value.toExponential(0).replace('e+', 'e');
}
