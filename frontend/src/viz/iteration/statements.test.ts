import { describe, expect, it } from 'vitest';
import { mttkrp, spmm } from '../fixtures/compiled';
import { precomputed } from '../fixtures/graphs';
import { HIGHER } from '../spacing';
import { drawIteration, layoutIteration } from './layout';
import { linesOf } from './statements';

const broken = (text: string, limit: number, ...accesses: readonly string[]): string[] => {
  const whole = accesses.map((access) => ({ start: text.indexOf(access), end: text.indexOf(access) + access.length }));
  return linesOf(text, limit, whole).map(({ start, end }) => text.slice(start, end));
};

describe('lines of a statement', () => {
  it('breaks before operators, and only where it must', () => {
    expect(broken('y(i) += A(i,j) * x(j)', 40)).toEqual(['y(i) += A(i,j) * x(j)']);
    expect(broken('y(i) += A(i,j) * x(j)', 15)).toEqual(['y(i) += A(i,j)', '* x(j)']);
    expect(broken('y(i) += A(i,j) * x(j)', 5)).toEqual(['y(i)', '+= A(i,j)', '* x(j)']);
  });

  it('leaves an access whole, however long it is', () => {
    expect(broken('y(i) = A(i + r, j)', 6, 'A(i + r, j)')).toEqual(['y(i)', '= A(i + r, j)']);
    expect(broken('y(i) = fmax(y(i), 0)', 12)).toEqual(['y(i)', '= fmax(y(i),', '0)']);
  });
});

describe('drawings of a graph', () => {
  it('gives way between the texts, to a half, and never in the texts', () => {
    for (const { graph, variables } of [spmm, mttkrp, precomputed]) {
      if (graph === null) throw new Error('the fixture has no graph');
      const drawings = drawIteration({ graph, variables, relations: [] });
      const roomiest = layoutIteration({ graph, variables, relations: [] });
      const tightest = drawings.at(-1) ?? roomiest;
      expect(tightest.height).toBeLessThan(0.75 * roomiest.height);
      expect(tightest.height).toBeGreaterThan(0.5 * roomiest.height);
      for (const { loops, statements, paths } of drawings) {
        expect(loops).toHaveLength(roomiest.loops.length);
        expect(paths).toHaveLength(roomiest.paths.length);
        const said = statements.map(({ parts }) => parts.map(({ text }) => text.trim()).join(' '));
        expect(said).toEqual(roomiest.statements.map(({ parts }) => parts.map(({ text }) => text.trim()).join(' ')));
        for (const { parts, x, y, width, height } of statements) {
          for (const part of parts) {
            expect(part.x).toBeGreaterThanOrEqual(x);
            expect(part.x + part.width).toBeLessThanOrEqual(x + width + 0.001);
            expect(part.y).toBeGreaterThan(y);
            expect(part.y).toBeLessThan(y + height);
          }
        }
      }
    }
  });

  it('is higher where there is room, as wide, and with texts where they are across', () => {
    const { graph, variables } = spmm;
    if (graph === null) throw new Error('the fixture has no graph');
    const drawings = drawIteration({ graph, variables, relations: [] }).slice(0, HIGHER.length + 1);
    const heights = drawings.map(({ height }) => height);
    expect(heights).toEqual([...heights].sort((one, other) => other - one));
    expect(new Set(drawings.map(({ width }) => width)).size).toBe(1);
    expect(new Set(drawings.map(({ loops }) => loops.map(({ x }) => x).join())).size).toBe(1);
  });

  it('stands loops under each other that nothing joins', () => {
    const { graph, variables } = mttkrp;
    if (graph === null) throw new Error('the fixture has no graph');
    const twice = {
      ...graph,
      nodes: [
        ...graph.nodes,
        ...graph.nodes.map((node) => ({
          ...node,
          variable: `${node.variable}2`,
          parent: node.parent === null ? null : `${node.parent}2`,
        })),
      ],
      statements: [...graph.statements, 'y = 0'],
      chains: [...graph.chains, (graph.chains[0] ?? []).map((variable) => `${variable}2`)],
    };
    const drawings = drawIteration({ graph: twice, variables, relations: [] });
    const beside = drawings[HIGHER.length];
    const under = drawings.find(({ width }) => width !== beside?.width);
    if (beside === undefined || under === undefined) throw new Error('there is one drawing only');
    expect(under.width).toBeLessThan(0.75 * beside.width);
    expect(under.height).toBeGreaterThan(1.5 * beside.height);
  });
});
