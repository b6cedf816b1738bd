import { describe, expect, it } from 'vitest';
import { arcs, arcsWidth, distanceText, ROW_HEIGHT, shownRows } from './schedule-tree';
import { fused, refused } from './fixture';

describe('schedule tree', () => {
  it('leaves out what is below a closed row', () => {
    expect(shownRows(fused, new Set()).map(({ row }) => row.kind)).toEqual([
      'domain',
      'band',
      'sequence',
      'filter',
      'leaf',
      'filter',
      'leaf',
    ]);
    const closed = shownRows(fused, new Set([3]));
    expect(closed.map(({ place }) => place)).toEqual([0, 1, 2, 3, 5, 6]);
    expect(closed.map(({ inner }) => inner)).toEqual([true, true, true, true, true, false]);
  });

  it('draws an arc from what computes to what reads', () => {
    const [arc] = arcs(fused, shownRows(fused, new Set()), 100);
    expect(arc?.label).toBe('i: 0');
    expect(arc?.path.startsWith(`M 100 ${4.5 * ROW_HEIGHT} `)).toBe(true);
    expect(arc?.path.endsWith(`96 ${6.5 * ROW_HEIGHT}`)).toBe(true);
    expect(arcs(fused, shownRows(fused, new Set([2])), 100)).toEqual([]);
  });

  it('leaves room for the whole label on the left of its arc', () => {
    const [arc] = arcs(fused, shownRows(fused, new Set()), arcsWidth(fused));
    expect((arc?.x ?? 0) - 'i: 0'.length * 6.5).toBeGreaterThan(0);
    expect(arc?.x).toBeLessThan(arcsWidth(fused));
  });

  it('draws the arc that forbids a loop in place of the one that is', () => {
    const [arc, ...others] = arcs(refused, shownRows(refused, new Set()), 100);
    expect(others).toEqual([]);
    expect(arc?.forbids).toBe(true);
    expect(arc?.label).toBe('-1');
    expect(arc?.text).toBe('t(i) is read as t(i2 + 1): distance -1 forbids together(i, i2)');
  });

  it('says where statements share no loop', () => {
    expect(distanceText({ write: 't(i)', read: 't(i)', writer: 0, reader: 1, distances: [] })).toBe('in sequence');
  });
});
