import { describe, expect, it } from 'vitest';
import type { StorageLevelView, StoredTensorView } from '../../api/types';
import { gridOf } from './grid';
import { marksOf, storageModel } from './marks';
import type { Place } from './marks';
import { shortNumber, treeLayout } from './tree';

const level = (
  kind: string,
  dimension: number,
  size: number,
  nodes: [number, number, number][],
  part: Partial<StorageLevelView> = {},
): StorageLevelView => ({
  kind,
  text: kind,
  ordered: true,
  unique: true,
  further: [],
  dimension,
  size,
  positions: nodes.length,
  choices: [],
  node_positions: nodes.map(([position]) => position),
  node_parents: nodes.map(([, parent]) => parent),
  node_coordinates: nodes.map(([, , coordinate]) => coordinate),
  ...part,
});

const array = (name: string, at: number, indexed_by: 'segments' | 'positions', values: number[]) => ({
  name,
  role: name.split('_')[1] ?? '',
  level: at,
  indexed_by,
  dtype: 'int32',
  size: values.length,
  bytes: values.length * 4,
  values,
});

/** The running example in CSR, as the service sends it. */
const COORDINATES = [
  [0, 0],
  [0, 2],
  [2, 0],
  [2, 3],
  [2, 5],
  [3, 1],
  [3, 4],
];
const VALUES = [6, 9, 5, 7, 1, 2, 8];
const CSR: StoredTensorView = {
  format: 'csr',
  levels_text: 'dense, compressed',
  shape: [4, 6],
  dtype: 'float64',
  entries: 7,
  stored: 7,
  bytes: 104,
  whole: true,
  levels: [
    level('dense', 0, 4, [
      [0, 0, 0],
      [1, 0, 1],
      [2, 0, 2],
      [3, 0, 3],
    ]),
    level(
      'compressed',
      1,
      6,
      COORDINATES.map(([row, column], position) => [position, row ?? 0, column ?? 0]),
    ),
  ],
  arrays: [
    array('A2_pos', 2, 'segments', [0, 2, 2, 5, 7]),
    array('A2_crd', 2, 'positions', [0, 2, 0, 3, 5, 1, 4]),
    array('A_vals', 0, 'positions', VALUES),
  ],
  leaves: COORDINATES.map((coordinates, position) => ({
    position,
    coordinates,
    value: VALUES[position] ?? 0,
    entry: true,
  })),
  density: null,
};

const MODEL = storageModel(CSR);
const marked = (place: Place, mark: 'exact' | 'within'): string[] =>
  [...marksOf(MODEL, place)].filter(([, found]) => found === mark).map(([key]) => key);

describe('what belongs together', () => {
  it('marks for vals[4] one cell, one leaf, its coordinate and the segment in pos that contains it', () => {
    const place = MODEL.places.get('element A_vals 4');
    expect(place).toEqual({ depth: 1, position: 4 });
    expect(marked({ depth: 1, position: 4 }, 'exact').sort()).toEqual(
      [
        'cell 2 5',
        'element A2_crd 4',
        'element A2_pos 2',
        'element A2_pos 3',
        'element A_vals 4',
        'node 0 2',
        'node 1 4',
        'node 2 4',
      ].sort(),
    );
    expect(marked({ depth: 1, position: 4 }, 'within')).toEqual([]);
  });

  it('is the same from the leaf, the cell and the coordinate', () => {
    for (const key of ['node 1 4', 'cell 2 5', 'element A2_crd 4'])
      expect(MODEL.places.get(key)).toEqual({ depth: 1, position: 4 });
    expect(MODEL.places.get('cell 1 1')).toBeUndefined();
  });

  it('marks what lies below a row, and nothing below an empty one', () => {
    expect(MODEL.places.get('element A2_pos 2')).toEqual({ depth: 0, position: 2 });
    const below = marked({ depth: 0, position: 2 }, 'within');
    expect(below.filter((key) => key.startsWith('cell'))).toEqual(['cell 2 0', 'cell 2 3', 'cell 2 5']);
    expect(marked({ depth: 0, position: 1 }, 'within')).toEqual([]);
  });

  it('marks the bin of a raster', () => {
    const density = { row_dimension: 0, column_dimension: 1, row_step: 2, column_step: 3, counts: [] };
    const model = storageModel({ ...CSR, density });
    expect(marksOf(model, { depth: 1, position: 4 }).get('bin 1 1')).toBe('exact');
  });
});

describe('the coordinate tree', () => {
  const layout = treeLayout(MODEL, 520);

  it('has a node for each position, parents over their children, and no two at one place', () => {
    expect(layout.nodes).toHaveLength(11);
    expect(new Set(layout.nodes.map(({ x, y }) => `${x} ${y}`)).size).toBe(11);
    const xs = layout.nodes.filter(({ depth }) => depth === 1).map(({ x }) => x);
    const row = layout.nodes.find(({ depth, position }) => depth === 0 && position === 2);
    expect(row?.x).toBe(((xs[2] ?? 0) + (xs[4] ?? 0)) / 2);
    expect(layout.values.map(({ text }) => text)).toEqual(VALUES.map(String));
  });

  it('draws leaves closer where there is little room, as far as their texts can be read', () => {
    expect(layout.column).toBe(30);
    const close = treeLayout(MODEL, 270);
    expect(close.column).toBeLessThan(30);
    expect(close.width).toBeLessThanOrEqual(270);
    expect(2 * close.radius).toBeLessThan(close.column);
    expect(treeLayout(MODEL, 10).column).toBe(18);
  });

  it('keeps numbers short', () => {
    expect([0.123456, 12345678, -2.5, 'inf', 1e-9].map(shortNumber)).toEqual(['0.12', '1e7', '-2.5', 'inf', '1e-9']);
  });
});

describe('the grid', () => {
  it('has every cell once, and knows what is stored', () => {
    const { slices, count } = gridOf(CSR);
    expect(count).toBe(1);
    const cells = slices[0]?.rows.flat() ?? [];
    expect(cells).toHaveLength(24);
    expect(cells.filter(({ stored }) => stored !== null).map(({ coordinates }) => coordinates)).toEqual(COORDINATES);
  });

  it('shows three dimensions as slices, a vector as one row and a scalar as one cell', () => {
    const cube = gridOf({ ...CSR, shape: [3, 4, 6], leaves: [] });
    expect(cube.slices.map(({ at }) => at)).toEqual([[0], [1], [2]]);
    expect(cube.slices[2]?.rows[1]?.[5]?.coordinates).toEqual([2, 1, 5]);
    const vector = gridOf({ ...CSR, shape: [5], leaves: [] });
    expect(vector.slices[0]?.rows.map((row) => row.map(({ coordinates }) => coordinates))).toEqual([
      [[0], [1], [2], [3], [4]],
    ]);
    expect(gridOf({ ...CSR, shape: [], leaves: [] }).slices[0]?.rows[0]?.[0]?.coordinates).toEqual([]);
  });
});
