import { describe, expect, it } from 'vitest';
import { histogramOf, tilingOf } from './cuts';
import type { Cut } from './cuts';
import { cutLines } from './cut-lines';
import { hierarchyOf } from './hierarchy';
import { COORDINATES, RESULT, TRACE } from './fixture';
import { besideRoom, frameOf } from './frame';
import { gridOf, gridTensors, placeOf } from './grid';
import { trailOf } from './trail';
import { visitedBy, visitsOf } from './visits';
import { lanesOf, onThreads, shareOf } from './workers';
import { writesOf } from './writes';

const LOOPS = ['p0', 'p1'];
const grid = () => {
  const found = gridOf(RESULT, TRACE, 'A');
  if (found === null) throw new Error('A has a grid');
  return found;
};

describe('the grid', () => {
  it('is offered for operands, sparse matrices first', () => {
    expect(gridTensors(RESULT, TRACE)).toEqual(['A', 'x']);
  });

  it('has a cell for each nonzero', () => {
    const { rows, columns, slices, nonzeros } = grid();
    expect([rows, columns, slices.length, nonzeros]).toEqual([4, 6, 1, 7]);
    expect(slices[0]?.cells[4]).toEqual({ row: 2, column: 5, position: 4, value: 1 });
  });

  it('leaves out stored zeros, and draws a vector as one row', () => {
    const [tensor] = TRACE.tensors;
    if (tensor === undefined) throw new Error('no tensor');
    const padded = { ...tensor, arrays: { A_vals: [6, 0, 5, 7, 1, 2, 8] } };
    expect(gridOf(RESULT, { ...TRACE, tensors: [padded] }, 'A')?.nonzeros).toBe(6);
    expect(gridOf(RESULT, TRACE, 'x')).toMatchObject({ rows: 1, columns: 6, rowVariable: null });
  });

  it('of order 3 has a slice for each coordinate of the first dimension', () => {
    const [first, ...rest] = RESULT.tensors.filter(({ name }) => name === 'A');
    if (first === undefined) throw new Error('no tensor');
    const cube = { ...first, name: 'T', order: 3, dimensions: ['i', 'j', 'k'] };
    const view = {
      tensor: 'T',
      origin: 'given' as const,
      shape: [2, 3, 4],
      nonzeros: 2,
      arrays: { T_vals: [1, 2] },
      coordinates: [
        [0, 2, 3],
        [1, 0, 1],
      ],
    };
    const found = gridOf({ ...RESULT, tensors: [cube, ...rest] }, { ...TRACE, tensors: [view] }, 'T');
    expect(found?.slices.map(({ at, cells }) => [at, cells.length])).toEqual([
      [[0], 1],
      [[1], 1],
    ]);
    expect(found && placeOf(found, { i: 1, j: 0, k: 1 })).toEqual({ slice: 1, row: 0, column: 1 });
    expect(found && placeOf(found, { i: 1, j: 0 })).toBeNull();
  });
});

describe('the order of visiting', () => {
  const visits = visitsOf(TRACE, LOOPS);

  it('is that of the trace, a point for each nonzero', () => {
    expect(visits.map(({ at }) => [at.i, at.j])).toEqual(COORDINATES);
  });

  it('knows which loop moved', () => {
    expect(visits.map(({ loop }) => loop)).toEqual([null, 1, 1, 0, 1, 1, 0]);
  });

  it('counts the points up to a step', () => {
    expect(visitedBy(visits, 0)).toBe(0);
    expect(visitedBy(visits, visits[2]?.step ?? -1)).toBe(3);
    expect(visitedBy(visits, 1000)).toBe(7);
  });

  it('leaves a trail of arrows between the points', () => {
    const trail = trailOf(frameOf(4, 6), grid(), 0, visits);
    expect(trail.before(3)).toBe(3);
    expect(trail.arrows(1)).toEqual([]);
    expect(trail.arrows(4).map(({ loop }) => loop)).toEqual([1, 1, 0]);
  });
});

describe('who does what', () => {
  const lanes = lanesOf(TRACE, 'y_vals');

  it('adds up to the nonzeros, and the idle share is 1 - mean / max', () => {
    const share = shareOf(lanes);
    expect(lanes.map(({ title, visits }) => [title, visits.length])).toEqual([
      ['p0 = 0', 3],
      ['p0 = 1', 3],
      ['p0 = 2', 1],
    ]);
    expect(share.total).toBe(7);
    expect(share.idle).toBeCloseTo(1 - 7 / 3 / 3);
  });

  it('finds the rows that two workers write', () => {
    expect([...shareOf(lanes).shared]).toEqual([
      [2, [0, 1]],
      [3, [1, 2]],
    ]);
  });

  it('on fewer threads gives the next tile to the one with the least work', () => {
    const threads = onThreads(lanes, 2);
    expect(threads.map(({ visits }) => visits.length)).toEqual([4, 3]);
    expect([...shareOf(threads).shared.keys()]).toEqual([2, 3]);
  });

  it('counts stores and atomics by row and worker', () => {
    const map = writesOf(TRACE, 'y', lanes);
    expect(map.counts.map((row) => row.map(({ atomics }) => atomics))).toEqual([
      [1, 0, 0],
      [0, 0, 0],
      [1, 1, 0],
      [0, 1, 1],
    ]);
    expect([map.stores, map.atomics, map.most]).toEqual([5, 5, 1]);
  });
});

describe('cuts', () => {
  const loads = (cut: Cut, size: number, rows: 'all' | 'nonempty' = 'all'): number[] =>
    tilingOf(COORDINATES, [4, 6], rows, cut, size).tiles.map(({ members }) => members.length);

  it('give the tiles of the running example', () => {
    expect(loads({ kind: 'nonzero-position' }, 3)).toEqual([3, 3, 1]);
    expect(loads({ kind: 'coordinate', dimension: 0 }, 2)).toEqual([2, 5]);
    expect(loads({ kind: 'coordinate', dimension: 1 }, 2)).toEqual([3, 2, 2]);
    expect(loads({ kind: 'row-position' }, 2)).toEqual([2, 5]);
    expect(loads({ kind: 'row-position' }, 2, 'nonempty')).toEqual([5, 2]);
  });

  it('mark the rows that are split across tiles', () => {
    expect(tilingOf(COORDINATES, [4, 6], 'all', { kind: 'nonzero-position' }, 3).straddling).toEqual([2, 3]);
    expect(tilingOf(COORDINATES, [4, 6], 'all', { kind: 'coordinate', dimension: 0 }, 1).straddling).toEqual([]);
  });

  it('by position are even: max / mean is at most 1 + tile / mean', () => {
    const { max, mean } = tilingOf(COORDINATES, [4, 6], 'all', { kind: 'nonzero-position' }, 2);
    expect(max / mean).toBeLessThanOrEqual(1 + 2 / mean);
  });

  it('of many tiles are drawn by the fullest of each group', () => {
    expect(histogramOf([1, 5, 2, 0, 3], 2)).toEqual([
      { from: 0, to: 2, most: 5 },
      { from: 3, to: 4, most: 3 },
    ]);
  });
});

describe('the coordinate hierarchy', () => {
  it('has a leaf for each nonzero in storage order, and a node for an empty row of a dense level', () => {
    const { nodes, slots } = hierarchyOf(COORDINATES, [0, 1], 4);
    expect(nodes.filter(({ level }) => level === 1).map(({ coordinate }) => coordinate)).toEqual([0, 1, 2, 3]);
    expect(nodes.filter(({ leaf }) => leaf !== null).map(({ leaf, coordinate }) => [leaf, coordinate])).toEqual([
      [0, 0],
      [1, 2],
      [2, 0],
      [3, 3],
      [4, 5],
      [5, 1],
      [6, 4],
    ]);
    expect(slots).toBe(8);
    expect(hierarchyOf(COORDINATES, [0, 1], null).nodes.filter(({ level }) => level === 1)).toHaveLength(3);
  });

  it('puts a parent over the middle of its children', () => {
    const { nodes } = hierarchyOf(COORDINATES, [0, 1], 4);
    const row = nodes.find(({ level, coordinate }) => level === 1 && coordinate === 2);
    const children = nodes.filter(({ parent }) => parent !== null && nodes[parent] === row);
    expect(children.map(({ x }) => x)).toEqual([3.5, 4.5, 5.5]);
    expect(row?.x).toBe(4.5);
  });
});

describe('the lines of a cut', () => {
  const frame = { ...frameOf(4, 6), left: 0, top: 0, cell: 10 };
  const lines = (cut: Cut, size: number): string =>
    cutLines(frame, COORDINATES, tilingOf(COORDINATES, [4, 6], 'all', cut, size), cut, size, true);

  it('are straight for coordinates and rows', () => {
    expect(lines({ kind: 'coordinate', dimension: 0 }, 2)).toBe('M0 20H60');
    expect(lines({ kind: 'coordinate', dimension: 1 }, 2)).toBe('M20 0V40M40 0V40');
  });

  it('go in steps before the first nonzero of a tile', () => {
    expect(lines({ kind: 'nonzero-position' }, 3)).toBe('M60 20H30V30H0M60 30H40V40H0');
  });
});

describe('two pictures side by side', () => {
  it('fit their pane, and the cells are smaller for it, not the texts', () => {
    const room = besideRoom(516) ?? 0;
    expect(2 * frameOf(4, 6, room).width + 16).toBeLessThanOrEqual(516);
    expect(frameOf(4, 6, room).cell).toBeGreaterThanOrEqual(20);
    expect(frameOf(4, 6, besideRoom(2000) ?? 0)).toEqual(frameOf(4, 6));
  });

  it('stand below each other where neither could be read', () => {
    expect(besideRoom(366)).toBeNull();
  });
});
