import { describe, expect, it } from 'vitest';
import { cutSides, fitView, pan, wholeView, zoomAt } from './viewport';

describe('viewport', () => {
  it('fits a wide diagram to the width and centres it', () => {
    expect(fitView({ width: 160, height: 50 }, { width: 152, height: 100 })).toEqual({ scale: 0.95, x: 0, y: 26 });
  });

  it('does not blow up a small diagram', () => {
    expect(fitView({ width: 10, height: 10 }, { width: 500, height: 500 }).scale).toBe(1.6);
  });

  it('makes no text smaller than 11 px: what does not fit is reached by panning, from the top', () => {
    expect(fitView({ width: 120, height: 2400 }, { width: 120, height: 200 })).toEqual({ scale: 11 / 12, x: 5, y: 0 });
  });

  it('starts at the root of a diagram that is far too wide', () => {
    const [content, frame] = [
      { width: 2400, height: 120 },
      { width: 200, height: 110 },
    ];
    expect(fitView(content, frame)).toEqual({ scale: 11 / 12, x: 0, y: 0 });
    expect(fitView(content, frame, { x: 1200, y: 20 })).toEqual({ scale: 11 / 12, x: -1000, y: 0 });
    expect(fitView(content, frame, { x: 2400, y: 20 })).toEqual({ scale: 11 / 12, x: -2000, y: 0 });
  });

  it('stays in its corner until the frame is measured', () => {
    expect(fitView({ width: 500, height: 500 }, { width: 0, height: 0 }, { x: 250, y: 40 })).toEqual({
      scale: 1,
      x: 0,
      y: 0,
    });
  });

  it('shows everything when asked to, however small, and says on which sides a diagram goes on', () => {
    const [content, frame] = [
      { width: 1000, height: 100 },
      { width: 500, height: 100 },
    ];
    expect(wholeView(content, frame)).toEqual({ scale: 0.5, x: 0, y: 25 });
    expect(cutSides(wholeView(content, frame), content, frame)).toEqual([]);
    expect(cutSides(fitView(content, frame), content, frame)).toEqual(['right']);
    expect(cutSides({ scale: 1, x: -10, y: -20 }, content, frame)).toEqual(['left', 'right', 'top']);
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
