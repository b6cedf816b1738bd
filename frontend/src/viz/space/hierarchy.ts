/** The coordinate hierarchy of the nonzeros as a drawing: a leaf for each value, in storage order, in one row. */

export interface TreeNode {
  /** Storage level, 1 the first. */
  readonly level: number;
  readonly coordinate: number;
  /** In slots: a leaf, or a row without one, takes one slot. */
  readonly x: number;
  /** Index of the parent in `nodes`; null on level 1. */
  readonly parent: number | null;
  /** Index of the nonzero; null for inner nodes. */
  readonly leaf: number | null;
}

export interface Hierarchy {
  readonly nodes: readonly TreeNode[];
  readonly slots: number;
  readonly levels: number;
}

/**
 * `coordinates` are those of the nonzeros by dimension, in storage order; `order` names the dimension of each level.
 * `extent` is the size of the first level where it is dense, so that it stores rows without nonzeros; else null.
 */
export function hierarchyOf(
  coordinates: readonly (readonly number[])[],
  order: readonly number[],
  extent: number | null,
): Hierarchy {
  const nodes: { level: number; coordinate: number; x: number; parent: number | null; leaf: number | null }[] = [];
  let slots = 0;
  const grow = (members: readonly number[], level: number, parent: number | null): number => {
    const dimension = order[level - 1] ?? 0;
    const groups: { coordinate: number; members: number[] }[] = [];
    for (const member of members) {
      const coordinate = coordinates[member]?.[dimension] ?? 0;
      const last = groups.at(-1);
      if (last !== undefined && last.coordinate === coordinate && level < order.length) last.members.push(member);
      else groups.push({ coordinate, members: [member] });
    }
    if (level === 1 && extent !== null) {
      const found = new Set(groups.map(({ coordinate }) => coordinate));
      for (let coordinate = 0; coordinate < extent; coordinate += 1)
        if (!found.has(coordinate)) groups.push({ coordinate, members: [] });
      groups.sort((one, other) => one.coordinate - other.coordinate);
    }
    const centres = groups.map(({ coordinate, members: own }) => {
      const self = nodes.length;
      const isLeaf = level === order.length;
      const node = { level, coordinate, x: 0, parent, leaf: isLeaf ? (own[0] ?? null) : null };
      nodes.push(node);
      node.x = isLeaf || own.length === 0 ? slots++ + 0.5 : grow(own, level + 1, self);
      return node.x;
    });
    return ((centres[0] ?? 0) + (centres.at(-1) ?? 0)) / 2;
  };
  grow(
    coordinates.map((_, index) => index),
    1,
    null,
  );
  return { nodes, slots, levels: order.length };
}
