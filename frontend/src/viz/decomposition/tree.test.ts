import { describe, expect, it } from 'vitest';
import { parseTree, placed } from './tree';

describe('the tree of partial products', () => {
  it('is read from its text', () => {
    expect(parseTree('((0 1) 2)')).toEqual({
      modes: [0, 1, 2],
      children: [
        {
          modes: [0, 1],
          children: [
            { modes: [0], children: [] },
            { modes: [1], children: [] },
          ],
        },
        { modes: [2], children: [] },
      ],
    });
    for (const wrong of ['none', 'best', '', '(0', '(0)', '((0 1) 2) 3', '(0 a)']) expect(parseTree(wrong)).toBeNull();
  });

  it('names the role of each node, and stands above its leaves', () => {
    const root = parseTree('((0 1) ((2 3) 4))');
    const nodes = root === null ? [] : placed(root);
    expect(nodes.map(({ role }) => role)).toEqual([
      null,
      'tree.0-1',
      'leaf.0',
      'leaf.1',
      'tree.2-3-4',
      'tree.2-3',
      'leaf.2',
      'leaf.3',
      'leaf.4',
    ]);
    expect(nodes.filter(({ modes }) => modes.length === 1).map(({ x }) => x)).toEqual([0, 1, 2, 3, 4]);
    expect(nodes[1]).toMatchObject({ x: 0.5, y: 1, source: 0 });
    expect(nodes[5]).toMatchObject({ x: 2.5, y: 2, source: 4 });
  });

  it('has plain products right below the tensor', () => {
    const root = parseTree('((0 1) 2)');
    expect(root === null ? [] : placed(root).map(({ role }) => role)).toContain('mttkrp.2');
  });
});
