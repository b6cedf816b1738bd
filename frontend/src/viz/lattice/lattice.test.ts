import { describe, expect, it } from 'vitest';
import type { LatticeView } from '../../api/types';
import { layoutHasse } from './hasse';
import { handlerOf, setLabel } from './points';
import { layoutVenn } from './venn';

const point = (iterators: string[], expression: string) => ({ iterators, expression, loop: true });
const pruned = (...iterators: string[]) => ({ iterators, rule: 'annihilator' as const, reason: 'nothing is left' });
const operands = ['b', 'c', 'd'].map((tensor) => ({ access: `${tensor}(i)`, tensor, level: 1 }));
/** a = b * c + d with three sparse vectors. */
const lattice: LatticeView = {
  variable: 'i',
  operands,
  points: [
    point(['b(i)', 'c(i)', 'd(i)'], 'b(i) * c(i) + d(i)'),
    point(['b(i)', 'c(i)'], 'b(i) * c(i)'),
    point(['d(i)'], 'd(i)'),
  ],
  pruned: [pruned('b(i)', 'd(i)'), pruned('c(i)', 'd(i)'), pruned('b(i)'), pruned('c(i)'), pruned()],
};

describe('Hasse diagram', () => {
  const layout = layoutHasse(lattice);
  it('joins neighbours only', () => {
    expect(layout.edges).toHaveLength(12);
    for (const { from, to } of layout.edges) expect(from.iterators.length).toBe(to.iterators.length + 1);
  });
  it('stands larger sets above smaller ones, apart from each other', () => {
    for (const one of layout.nodes)
      for (const other of layout.nodes) {
        if (one.iterators.length > other.iterators.length) expect(one.y).toBeLessThan(other.y);
        if (one !== other && one.y === other.y)
          expect(Math.abs(one.x - other.x)).toBeGreaterThan((one.width + other.width) / 2);
      }
  });
  it('numbers loops and gives reasons for the rest', () => {
    expect(
      layout.nodes
        .filter(({ loop }) => loop !== null)
        .map(({ label }) => label)
        .sort(),
    ).toEqual(['{b, c, d}', '{b, c}', '{d}']);
    expect(layout.nodes.every(({ loop, reason }) => (loop === null) === (reason !== null))).toBe(true);
  });
});

describe('Venn diagram', () => {
  const venn = layoutVenn(lattice);
  it('puts the text of every region into exactly its circles', () => {
    for (const region of venn?.regions ?? []) {
      const inside = venn?.circles
        .filter(({ x, y, radius }) => Math.hypot(region.x - x, region.y - y) < radius)
        .map(({ operand }) => operand);
      expect(inside).toEqual(region.present);
    }
    expect(venn?.regions).toHaveLength(7);
  });
  it('says what is computed where', () => {
    expect(handlerOf(lattice, ['b(i)', 'd(i)'])?.expression).toBe('d(i)');
    expect(handlerOf(lattice, ['b(i)'])).toBeNull();
  });
  it('leaves more than three operands to the lattice', () => {
    expect(layoutVenn({ ...lattice, operands: [...operands, ...operands] })).toBeNull();
  });
});

it('shortens accesses to tensors unless two would look alike', () => {
  expect(setLabel(['B(i,j)', 'all j'])).toBe('{B, all j}');
  expect(setLabel(['B(i,j)', 'B(j,i)'])).toBe('{B(i,j), B(j,i)}');
});
