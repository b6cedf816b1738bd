import { describe, expect, it } from 'vitest';
import { mttkrp } from '../fixtures/compiled';
import { arrangeLanes } from './lanes';
import { buildNest } from './tree';
import { accessPattern, accessesOf } from './visits';

describe('lanes', () => {
  it('runs MTTKRP beside the nodes that a path skips, on the sides that avoid needless crossings', () => {
    if (!mttkrp.graph) throw new Error('the fixture has no graph');
    const input = { graph: mttkrp.graph, variables: mttkrp.variables, relations: [] };
    const accesses = accessesOf(input, buildNest(mttkrp.graph).leaves);
    const { rows } = arrangeLanes(accesses);
    const named = (variable: string) => {
      const row = rows.get(variable) ?? { left: [], through: [], right: [] };
      const tensors = (lanes: readonly number[]) => lanes.map((lane) => accesses[lane]?.path.tensor).join(' ');
      return [tensors(row.left), tensors(row.through), tensors(row.right)];
    };
    expect(named('i')).toEqual(['', 'A B', '']);
    expect(named('k')).toEqual(['A', 'B C', '']);
    expect(named('l')).toEqual(['A', 'B D', 'C']);
    expect(named('j')).toEqual(['B', 'A D C', '']);
  });
});

describe('finding an access in a statement', () => {
  const found = (access: string, text: string) => [...text.matchAll(accessPattern(access))].map((match) => match.index);

  it('does not mind spaces', () => expect(found('A(i,j)', 'y(i) += A(i, j)')).toEqual([8]));
  it('takes whole names only', () => expect(found('x', 'max(x, xs) + x(i)')).toEqual([4]));
});
