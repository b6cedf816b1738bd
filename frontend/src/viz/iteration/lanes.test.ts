import { describe, expect, it } from 'vitest';
import { mttkrp } from '../fixtures/graphs';
import { arrangeLanes } from './lanes';
import { buildNest } from './tree';
import { accessPattern, accessesOf } from './visits';

describe('lanes', () => {
  it('runs MTTKRP beside the nodes that a path skips, on the sides that avoid needless crossings', () => {
    if (!mttkrp.graph) throw new Error('the fixture has no graph');
    const input = { graph: mttkrp.graph, variables: mttkrp.variables, relations: [] };
    const { rows } = arrangeLanes(accessesOf(input, buildNest(mttkrp.graph).leaves));
    expect(rows.get('i')?.through).toEqual([0, 1]);
    expect(rows.get('k')).toEqual({ left: [0], through: [1, 3], right: [] });
    expect(rows.get('l')).toEqual({ left: [0], through: [1, 2], right: [3] });
    expect(rows.get('j')).toEqual({ left: [1], through: [0, 2, 3], right: [] });
  });
});

describe('finding an access in a statement', () => {
  const found = (access: string, text: string) => [...text.matchAll(accessPattern(access))].map((match) => match.index);

  it('does not mind spaces', () => expect(found('A(i,j)', 'y(i) += A(i, j)')).toEqual([8]));
  it('takes whole names only', () => expect(found('x', 'max(x, xs) + x(i)')).toEqual([4]));
});
