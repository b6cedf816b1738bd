import { describe, expect, it } from 'vitest';
import type { CompileView } from '../../api/types';
import { spmm, spmv } from '../fixtures/compiled';
import { manyVariables, precomputed } from '../fixtures/graphs';
import { arrangeLayers, stackLayers } from './layered';
import { layoutProvenance, type ProvenanceLayout } from './layout';

function layoutOf(view: CompileView, notes = false): ProvenanceLayout {
  if (!view.provenance) throw new Error('the fixture has no provenance');
  return layoutProvenance({
    provenance: view.provenance,
    variables: view.variables,
    loopOrder: view.graph?.nodes.map((node) => node.variable) ?? [],
    showBounds: notes,
    showRecovery: notes,
  });
}

interface Box {
  readonly name: string;
  readonly x: number;
  readonly y: number;
  readonly halfWidth: number;
  readonly halfHeight: number;
}

function overlaps(layout: ProvenanceLayout): string[] {
  const boxes: Box[] = [
    ...layout.variables,
    ...layout.relations.map((relation) => ({ ...relation, name: `${relation.kind} ${relation.index}` })),
  ];
  const found: string[] = [];
  boxes.forEach((one, index) => {
    for (const other of boxes.slice(index + 1)) {
      const apart =
        Math.abs(one.x - other.x) >= one.halfWidth + other.halfWidth ||
        Math.abs(one.y - other.y) >= one.halfHeight + other.halfHeight;
      if (!apart) found.push(`${one.name} over ${other.name}`);
    }
  });
  return found;
}

describe('provenance graph layout', () => {
  it('runs from the underived variables down to the loop variables', () => {
    const { variables } = layoutOf(spmv);
    const y = new Map(variables.map((one) => [one.name, one.y]));
    expect(y.get('i')).toBe(y.get('j'));
    expect(y.get('f')).toBeGreaterThan(y.get('i') ?? 0);
    expect(y.get('fpos')).toBeGreaterThan(y.get('f') ?? 0);
    expect(y.get('fpos0')).toBeGreaterThan(y.get('fpos') ?? 0);
    expect(y.get('fpos0')).toBe(y.get('fpos1'));
  });

  it('joins parents, relation and children, each with its command', () => {
    const { relations, edges } = layoutOf(spmv);
    expect(relations.map((one) => [one.kind, one.command])).toEqual([
      ['fuse', 0],
      ['pos', 1],
      ['split', 2],
    ]);
    expect(edges.filter((edge) => edge.relation === 0).map((edge) => [edge.variable, edge.toChild])).toEqual([
      ['i', false],
      ['j', false],
      ['f', true],
    ]);
    expect(edges.filter((edge) => edge.searches).map((edge) => edge.relation)).toEqual([1, 1]);
  });

  it('leads to the copy for the producer of a workspace, over which nothing is recovered', () => {
    const { relations, edges, variables } = layoutOf(precomputed);
    expect(relations.map((one) => [one.kind, one.command])).toEqual([['precompute w', 0]]);
    expect(edges.map(({ variable, toChild, recovers }) => [variable, toChild, recovers])).toEqual([
      ['j', false, false],
      ['jw', true, false],
    ]);
    const y = new Map(variables.map((one) => [one.name, one.y]));
    expect(y.get('jw')).toBeGreaterThan(y.get('j') ?? 0);
    expect(layoutOf(spmv).edges.every(({ recovers }) => recovers)).toBe(true);
  });

  it('puts a chain on one vertical line', () => {
    const { variables, relations } = layoutOf(spmv);
    const f = variables.find((one) => one.name === 'f');
    const fpos = variables.find((one) => one.name === 'fpos');
    expect(f?.x).toBeCloseTo(fpos?.x ?? 0, 0);
    expect(relations[1]?.x).toBeCloseTo(fpos?.x ?? 0, 0);
  });

  it('makes room for bounds and recovery only when they are shown', () => {
    expect(layoutOf(spmv).variables.flatMap((one) => one.notes)).toEqual([]);
    const shown = layoutOf(spmv, true);
    expect(shown.variables.find((one) => one.name === 'fpos')?.notes).toEqual([
      { kind: 'bounds', text: '∈ [searchceil_A(f_min), search_A(f_max − 1) + 1)' },
      { kind: 'recovery', text: '= fpos0 · 64 + fpos1' },
    ]);
    expect(shown.width).toBeGreaterThan(layoutOf(spmv).width);
  });

  it('overlaps nothing, at 60 variables too', () => {
    for (const view of [spmv, spmm, manyVariables()]) expect(overlaps(layoutOf(view))).toEqual([]);
    expect(layoutOf(manyVariables()).variables).toHaveLength(60);
  });

  it('keeps everything inside the drawing', () => {
    const layout = layoutOf(manyVariables(), true);
    for (const one of layout.variables) {
      expect(one.x - one.halfWidth).toBeGreaterThanOrEqual(0);
      expect(one.x + one.halfWidth).toBeLessThanOrEqual(layout.width);
      expect(one.y + one.halfHeight).toBeLessThanOrEqual(layout.height);
    }
  });
});

describe('layered drawing', () => {
  const node = (id: string) => ({ id, left: 10, right: 10, above: 10, below: 10 });

  it('uncrosses two crossing edges', () => {
    const edges = [
      { from: 'a', to: 'd' },
      { from: 'b', to: 'c' },
    ];
    const { places } = stackLayers(arrangeLayers(['a', 'b', 'c', 'd'].map(node), edges, 10), 10);
    const x = (id: string) => places.get(id)?.x ?? 0;
    expect(x('a') < x('b')).toBe(x('d') < x('c'));
  });

  it('leads a long edge past the row between', () => {
    const edges = [
      { from: 'a', to: 'b' },
      { from: 'b', to: 'c' },
      { from: 'a', to: 'c' },
    ];
    const { places, waypoints } = stackLayers(arrangeLayers(['a', 'b', 'c'].map(node), edges, 10), 10);
    const middle = waypoints[2]?.[0];
    expect(middle?.y).toBe(places.get('b')?.y);
    expect(Math.abs((middle?.x ?? 0) - (places.get('b')?.x ?? 0))).toBeGreaterThan(10);
  });

  it('refuses a cycle', () => {
    const edges = [
      { from: 'a', to: 'b' },
      { from: 'b', to: 'a' },
    ];
    expect(() => stackLayers(arrangeLayers(['a', 'b'].map(node), edges, 10), 10)).toThrow(
      'The provenance graph has a cycle.',
    );
  });
});
