import { describe, expect, it } from 'vitest';
import { fitView, pan, zoomAt } from './viewport';

describe('viewport', () => {
  it('fits a wide diagram to the width and centres it', () => {
    expect(fitView({ width: 200, height: 50 }, { width: 160, height: 100 })).toEqual({ scale: 0.8, x: 0, y: 30 });
  });

  it('does not blow up a small diagram', () => {
    expect(fitView({ width: 10, height: 10 }, { width: 500, height: 500 }).scale).toBe(1.1);
  });

  it('shows the top of a diagram that would be unreadably small', () => {
    expect(fitView({ width: 100, height: 2000 }, { width: 100, height: 200 })).toEqual({ scale: 0.5, x: 25, y: 0 });
  });

  it('shows the left of a diagram that is far too wide', () => {
    expect(fitView({ width: 2000, height: 100 }, { width: 200, height: 100 })).toEqual({ scale: 0.5, x: 0, y: 25 });
  });

  it('keeps the point under the pointer while zooming', () => {
    const before = { scale: 1, x: 10, y: 20 };
    const after = zoomAt(before, 2, { x: 50, y: 60 });
    const pointAt = (view: typeof before) => [(50 - view.x) / view.scale, (60 - view.y) / view.scale];
    expect(pointAt(after)).toEqual(pointAt(before));
  });

  it('stays within its limits and pans', () => {
    expect(zoomAt({ scale: 1, x: 0, y: 0 }, 1000, { x: 0, y: 0 }).scale).toBe(4);
    expect(pan({ scale: 2, x: 1, y: 1 }, 5, -1)).toEqual({ scale: 2, x: 6, y: 0 });
  });
});
