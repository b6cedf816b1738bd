/**
 * Which elements of the storage picture are one and the same: pointing at a leaf, a value, a coordinate, an offset or a
 * cell marks its way from the root, the segments on that way, and its cell (docs/sources.toml V1).
 */
import type { StoredTensorView } from '../../api/types';
import { binKey, cellKey, elementKey, nodeKey } from './keys';

/** `exact`: the thing itself and its ancestors. `within`: what lies below it. */
export type Mark = 'exact' | 'within';
export type Marks = ReadonlyMap<string, Mark>;

/** A node by its level, counted from 0, and its position there. */
export interface Place {
  readonly depth: number;
  readonly position: number;
}

export interface StorageModel {
  readonly tensor: StoredTensorView;
  /** By level, from a position to the position of its parent. */
  readonly parents: readonly ReadonlyMap<number, number>[];
  /** By level, from a position to the positions of its children one level below. */
  readonly children: readonly ReadonlyMap<number, readonly number[]>[];
  /** From the position of a value to its coordinates by dimension. */
  readonly coordinates: ReadonlyMap<number, readonly number[]>;
  /** The place that an element of the picture stands for. */
  readonly places: ReadonlyMap<string, Place>;
}

export function storageModel(tensor: StoredTensorView): StorageModel {
  const parents = tensor.levels.map(
    (level) => new Map(level.node_positions.map((position, index) => [position, level.node_parents[index] ?? 0])),
  );
  const children = tensor.levels.map((_, depth) => {
    const found = new Map<number, number[]>();
    for (const [position, parent] of parents[depth + 1] ?? []) {
      const siblings = found.get(parent);
      if (siblings) siblings.push(position);
      else found.set(parent, [position]);
    }
    return found;
  });
  const coordinates = new Map(tensor.leaves.map((leaf) => [leaf.position, leaf.coordinates]));
  const places = new Map<string, Place>();
  const last = tensor.levels.length - 1;
  parents.forEach((level, depth) => {
    for (const position of level.keys()) places.set(nodeKey(depth, position), { depth, position });
  });
  for (const array of tensor.arrays) {
    const depth = array.level === 0 ? last : array.level - 1;
    array.values.forEach((_, element) => {
      if (array.indexed_by === 'positions') places.set(elementKey(array.name, element), { depth, position: element });
      // An offset stands for the parent whose segment starts there.
      else if (depth > 0 && parents[depth - 1]?.has(element))
        places.set(elementKey(array.name, element), { depth: depth - 1, position: element });
    });
  }
  for (const leaf of tensor.leaves) {
    const place = { depth: last, position: leaf.position };
    const key = cellKey(leaf.coordinates);
    if (leaf.entry || !places.has(key)) places.set(key, place);
  }
  return { tensor, parents, children, coordinates, places };
}

/** Everything that is marked while the person points at `place`. */
export function marksOf(model: StorageModel, place: Place): Marks {
  const marks = new Map<string, Mark>();
  const { tensor, parents } = model;
  const last = tensor.levels.length - 1;
  let position = place.position;
  for (let depth = place.depth; depth >= 0; depth--) {
    const parent = depth === 0 ? 0 : (parents[depth]?.get(position) ?? 0);
    marks.set(nodeKey(depth, position), 'exact');
    markElements(model, marks, depth, position, parent, 'exact');
    position = parent;
  }
  markBelow(model, marks, place);
  const leaves = leavesBelow(model, place);
  for (const leaf of leaves) markLeaf(model, marks, leaf, place.depth === last ? 'exact' : 'within');
  return marks;
}

function markBelow(model: StorageModel, marks: Map<string, Mark>, place: Place): void {
  for (const child of model.children[place.depth]?.get(place.position) ?? []) {
    const below = { depth: place.depth + 1, position: child };
    marks.set(nodeKey(below.depth, child), 'within');
    markElements(model, marks, below.depth, child, place.position, 'within');
    markBelow(model, marks, below);
  }
}

/** The elements of one level's arrays that belong to `position` under `parent`. */
function markElements(
  model: StorageModel,
  marks: Map<string, Mark>,
  depth: number,
  position: number,
  parent: number,
  mark: Mark,
): void {
  const put = (array: string, element: number): void => {
    const key = elementKey(array, element);
    if (marks.get(key) !== 'exact') marks.set(key, mark);
  };
  for (const array of model.tensor.arrays) {
    if (array.level !== depth + 1) continue;
    if (array.indexed_by === 'positions') put(array.name, position);
    else if (array.indexed_by === 'parents') put(array.name, parent);
    else if (array.indexed_by === 'segments') {
      put(array.name, parent);
      put(array.name, parent + 1);
    }
  }
}

function markLeaf(model: StorageModel, marks: Map<string, Mark>, position: number, mark: Mark): void {
  const values = model.tensor.arrays.find((array) => array.level === 0);
  if (values) marks.set(elementKey(values.name, position), mark);
  marks.set(nodeKey(model.tensor.levels.length, position), mark);
  const at = model.coordinates.get(position);
  if (!at) return;
  marks.set(cellKey(at), mark);
  const { density } = model.tensor;
  if (!density) return;
  const row = density.row_dimension === null ? 0 : Math.floor((at[density.row_dimension] ?? 0) / density.row_step);
  marks.set(binKey(row, Math.floor((at[density.column_dimension] ?? 0) / density.column_step)), mark);
}

function leavesBelow(model: StorageModel, place: Place): readonly number[] {
  if (place.depth >= model.tensor.levels.length - 1) return [place.position];
  const children = model.children[place.depth]?.get(place.position) ?? [];
  return children.flatMap((position) => leavesBelow(model, { depth: place.depth + 1, position }));
}
