import { describe, expect, it } from 'vitest';
import type { CompileView } from '../../api/types';
import { mttkrp, spmm, spmv } from '../fixtures/compiled';
import { addition, manyLoops, precomputed } from '../fixtures/graphs';
import { emptyView, loopNode, path, variable } from '../fixtures/parts';
import { layoutIteration } from './layout';
import type { IterationLayout } from './types';

function layoutOf(view: CompileView): IterationLayout {
  if (!view.graph) throw new Error('the fixture has no graph');
  return layoutIteration({ graph: view.graph, variables: view.variables, relations: view.provenance?.relations ?? [] });
}

const stationsOf = (layout: IterationLayout, tensor: string) =>
  layout.paths.find((one) => one.tensor === tensor)?.stations.map((station) => [station.variable, ...station.levels]);

const pathsOf = (layout: IterationLayout) => layout.paths.map((one) => one.tensor);

describe('iteration graph layout', () => {
  it('stacks a perfect nest in loop order on one vertical line', () => {
    const { loops } = layoutOf(spmm);
    expect(loops.map((loop) => loop.variable)).toEqual(['i0', 'i1', 'jpos0', 'k0', 'jpos1', 'k1']);
    expect(new Set(loops.map((loop) => loop.x)).size).toBe(1);
    const ys = loops.map((loop) => loop.y);
    expect(ys).toEqual([...ys].sort((one, other) => one - other));
  });

  it('leads a path through both halves of a split variable and reaches the level at the inner one', () => {
    const layout = layoutOf(spmm);
    expect(stationsOf(layout, 'A')).toEqual([['i0'], ['i1', 1], ['jpos0'], ['jpos1', 2]]);
    expect(stationsOf(layout, 'B')).toEqual([['jpos0'], ['k0'], ['jpos1', 1], ['k1', 2]]);
  });

  it('reaches two levels in one loop when both were fused', () => {
    expect(stationsOf(layoutOf(spmv), 'A')).toEqual([['fpos0'], ['fpos1', 1, 2]]);
  });

  it('tells iterated levels from located ones', () => {
    const layout = layoutOf(mttkrp);
    const at = (tensor: string, name: string) =>
      layout.paths.find((one) => one.tensor === tensor)?.stations.find((one) => one.variable === name)?.iterated;
    expect(at('B', 'k')).toBe(true);
    expect(at('C', 'k')).toBe(false);
  });

  it('keeps lanes apart: no two paths share a place at any node', () => {
    for (const view of [spmv, spmm, mttkrp, addition, precomputed]) {
      const layout = layoutOf(view);
      const places = layout.paths.flatMap((one) => one.stations.map((station) => `${station.variable} ${station.x}`));
      expect(new Set(places).size).toBe(places.length);
    }
  });

  it('keeps the names on the paths apart and inside the drawing', () => {
    for (const view of [spmv, spmm, mttkrp, addition, precomputed]) {
      const layout = layoutOf(view);
      const labels = layout.paths.map((one) => one.label);
      labels.forEach((one, index) => {
        expect(one.x).toBeGreaterThanOrEqual(0);
        expect(one.x + one.width).toBeLessThanOrEqual(layout.width);
        for (const other of labels.slice(index + 1)) {
          const apart = one.y !== other.y || one.x + one.width <= other.x || other.x + other.width <= one.x;
          expect(apart).toBe(true);
        }
      });
    }
  });

  it('ends every path at its access in the statement', () => {
    const layout = layoutOf(spmv);
    expect(layout.paths.every((one) => one.reachesStatement)).toBe(true);
    const ends = [...layout.paths].sort((one, other) => one.end.x - other.end.x).map((one) => one.access);
    expect(ends).toEqual(['y(i)', 'A(i,j)', 'x(j)']);
    expect(layout.statements[0]?.parts.map((part) => [part.text, part.access?.colour])).toEqual([
      ['y(i)', 0],
      [' += ', undefined],
      ['A(i,j)', 1],
      [' * ', undefined],
      ['x(j)', 2],
    ]);
  });

  it('gives each use of the same tensor a path and an end of its own', () => {
    const view: CompileView = {
      ...emptyView('y = a(i) * a(i)'),
      variables: [variable('i', { underived: true, loop: true, reduction: true })],
      graph: {
        nodes: [loopNode('i', null, 0, 'compressed')],
        paths: [path('y', '', 'result'), path('a(i)', 'i:compressed'), path('a(i)', 'i:compressed')],
        statements: ['y += a(i) * a(i)'],
        chains: [['i']],
        text: '',
      },
    };
    const layout = layoutOf(view);
    expect(pathsOf(layout)).toEqual(['a', 'a']);
    expect(layout.paths[0]?.end.x).toBeLessThan(layout.paths[1]?.end.x ?? 0);
    expect(layout.statements[0]?.parts.map((part) => part.access?.colour)).toEqual([0, undefined, 1, undefined, 2]);
  });

  it('puts the branches of an imperfect nest side by side, each with its statement', () => {
    const { loops, statements, width } = layoutOf(precomputed);
    const x = new Map(loops.map((loop) => [loop.variable, loop.x]));
    expect(x.get('i')).toBeCloseTo(((x.get('jw') ?? 0) + (x.get('j') ?? 0)) / 2);
    expect(statements.map((one) => one.text)).toEqual(['w(jw) = A(i,jw) * x(jw)', 'y(i) += w(j)']);
    const [left, right] = statements;
    expect((left?.x ?? 0) + (left?.width ?? 0)).toBeLessThan(right?.x ?? 0);
    expect((right?.x ?? 0) + (right?.width ?? 0)).toBeLessThanOrEqual(width);
  });

  it('gives all paths of a workspace one colour, of their own', () => {
    const colours = new Map(layoutOf(precomputed).paths.map((one) => [one.access, one.colour]));
    expect(colours.get('w(jw)')).toBe(colours.get('w(j)'));
    const others = ['y(i)', 'A(i,jw)', 'x(jw)'].map((access) => colours.get(access));
    expect(new Set([...others, colours.get('w(j)')]).size).toBe(4);
  });

  it('draws a statement beside the loops that it does not stand in', () => {
    const view: CompileView = {
      ...emptyView('y(i) = b(i) + A(i,j) * x(j)'),
      variables: [variable('i', { loop: true }), variable('j', { loop: true, reduction: true })],
      graph: {
        nodes: [loopNode('i', null, 0, 'dense'), loopNode('j', 'i', 1, 'compressed')],
        paths: [path('A(i,j)', 'i j:compressed'), path('t', '', 'workspace'), path('y(i)', 'i', 'result')],
        statements: ['t += A(i,j) * x(j)', 'y(i) = b(i) + t'],
        chains: [['i', 'j'], ['i']],
        text: '',
      },
    };
    const { loops, statements, paths } = layoutOf(view);
    const [inner, outer] = statements;
    const j = loops.find((loop) => loop.variable === 'j');
    expect(outer?.x).toBeGreaterThan((inner?.x ?? 0) + (inner?.width ?? 0));
    expect(outer?.y).toBeLessThan(inner?.y ?? 0); // it runs once for each i, not for each j
    expect(outer?.x).toBeGreaterThan((j?.x ?? 0) + (j?.halfWidth ?? 0));
    expect(paths.find((one) => one.tensor === 'y')?.end.y).toBe(outer?.y);
  });

  it('stays readable with sixty loops: nothing lies on anything else, and type keeps its size', () => {
    const { loops, statements, paths, width, height } = layoutOf(manyLoops());
    expect(loops).toHaveLength(60);
    const below = [...loops].sort((one, other) => one.y - other.y);
    below.slice(1).forEach((loop, index) => {
      const above = below[index];
      expect(loop.y - loop.halfHeight).toBeGreaterThan((above?.y ?? 0) + (above?.halfHeight ?? 0));
    });
    for (const loop of loops) {
      expect(loop.x - loop.halfWidth).toBeGreaterThanOrEqual(0);
      expect(loop.x + loop.halfWidth).toBeLessThanOrEqual(width);
    }
    const places = paths.flatMap((one) => one.stations.map((station) => `${station.variable} ${station.x}`));
    expect(new Set(places).size).toBe(places.length);
    expect(statements.every((one) => one.x >= 0 && one.x + one.width <= width && one.y + one.height <= height)).toBe(
      true,
    );
  });

  it('says when a located tensor is met out of its level order', () => {
    const view: CompileView = {
      ...emptyView('y(i) = A(j,i)'),
      variables: [variable('i', { loop: true }), variable('j', { loop: true, reduction: true })],
      graph: {
        nodes: [loopNode('i', null, 0, 'dense'), loopNode('j', 'i', 1, 'dense')],
        paths: [path('y(i)', 'i', 'result'), path('A(j,i)', 'j i')],
        statements: ['y(i) += A(j,i)'],
        chains: [['i', 'j']],
        text: '',
      },
    };
    const layout = layoutOf(view);
    expect(layout.paths.map((one) => one.inLevelOrder)).toEqual([true, false]);
    expect(stationsOf(layout, 'A')).toEqual([
      ['i', 2],
      ['j', 1],
    ]);
  });

  it('draws a statement without loops', () => {
    const view: CompileView = {
      ...emptyView('a = b'),
      graph: {
        nodes: [],
        paths: [path('a', '', 'result'), path('b', '')],
        statements: ['a = b'],
        chains: [[]],
        text: '',
      },
    };
    const layout = layoutOf(view);
    expect(layout.loops).toEqual([]);
    expect(layout.statements[0]?.parts.map((part) => part.text)).toEqual(['a', ' = ', 'b']);
    expect(layout.height).toBeGreaterThan(0);
  });
});
