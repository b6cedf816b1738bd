/** The tree of partial products that `reuse` names, and where its nodes are drawn. Pure: tested without a DOM. */

export interface TreeNode {
  readonly modes: readonly number[];
  readonly children: readonly TreeNode[];
}

/** Of `((0 1) 2)`; null for a text that is no tree. */
export function parseTree(text: string): TreeNode | null {
  const tokens = text.match(/[()]|\d+|\S/g) ?? [];
  let place = 0;
  const node = (): TreeNode | null => {
    const token = tokens[place++];
    if (token !== undefined && /^\d+$/.test(token)) return { modes: [Number(token)], children: [] };
    if (token !== '(') return null;
    const children: TreeNode[] = [];
    while (tokens[place] !== ')') {
      const child = node();
      if (child === null) return null;
      children.push(child);
    }
    place += 1;
    return { modes: children.flatMap(({ modes }) => modes), children };
  };
  const root = node();
  return root !== null && root.children.length > 1 && place === tokens.length ? root : null;
}

export interface PlacedNode {
  /** The role that computes it; null for the tensor itself. */
  readonly role: string | null;
  readonly modes: readonly number[];
  /** The place of the node it is made from; null for the tensor. */
  readonly source: number | null;
  /** In leaves from the left, and in steps from the top. */
  readonly x: number;
  readonly y: number;
}

/** Every node before those below it; a leaf stands under its place in the order of the modes. */
export function placed(root: TreeNode): readonly PlacedNode[] {
  const found: PlacedNode[] = [];
  let leaves = 0;
  const place = (node: TreeNode, source: number | null, depth: number): number => {
    const own = found.length;
    const role = roleOf(node, source);
    found.push({ role, modes: node.modes, source, x: 0, y: depth });
    const below = node.children.map((child) => place(child, own, depth + 1));
    const x = below.length > 0 ? below.reduce((sum, one) => sum + one, 0) / below.length : leaves++;
    found[own] = { role, modes: node.modes, source, x, y: depth };
    return x;
  };
  place(root, null, 0);
  return found;
}

function roleOf({ modes, children }: TreeNode, source: number | null): string | null {
  if (source === null) return null;
  if (children.length > 0) return `tree.${modes.join('-')}`;
  return `${source === 0 ? 'mttkrp' : 'leaf'}.${String(modes[0])}`;
}
