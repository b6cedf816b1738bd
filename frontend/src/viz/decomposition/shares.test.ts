import { describe, expect, it } from 'vitest';
import { besideOnce, byPhase, elapsed, fitLines, joined, MOST_POINTS, scaled, shares } from './shares';

const swept = (sweep: number, fit = sweep / 10) => ({
  sweep,
  fit,
  resolved: true,
  seconds: 1,
  phases: { 'mttkrp.0': 0.6, 'solve.0': 0.1, fit: 0.1 },
});

describe('the time of sweeps', () => {
  it('adds up to all of it, the largest first', () => {
    const found = shares([swept(1), swept(2)]);
    expect(found.map(({ phase }) => phase)).toEqual(['mttkrp.0', 'other', 'solve.0', 'fit']);
    expect(found.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1, 12);
  });
});

const fitLine = (history: readonly ReturnType<typeof swept>[], width: number, height: number) =>
  fitLines([history], width, height)[0] ?? [];

describe('a step of the picture', () => {
  it('has its modes one after the other', () => {
    const found = byPhase(shares([{ ...swept(1), phases: { 'mttkrp.2': 0.5, 'mttkrp.0': 0.2, 'mttkrp.1': 0.3 } }]));
    expect(found.map(({ phase }) => phase)).toEqual(['mttkrp.0', 'mttkrp.1', 'mttkrp.2']);
  });
});

describe('what is done once', () => {
  it('is drawn beside a sweep in one scale, and counted in sweeps', () => {
    expect(besideOnce(2, 3)).toEqual({ sweep: 2 / 3, once: 1, sweeps: 1.5 });
    expect(besideOnce(4, 1)).toEqual({ sweep: 1, once: 0.25, sweeps: 0.25 });
    expect(besideOnce(0, 0)).toEqual({ sweep: 0, once: 0, sweeps: 0 });
  });
});

describe('the line of fits', () => {
  it('goes from corner to corner of its box', () => {
    const line = fitLine([swept(1), swept(2), swept(3)], 100, 50);
    expect(line.map(({ x, y }) => [x, Math.round(y)])).toEqual([
      [0, 50],
      [50, 25],
      [100, 0],
    ]);
  });

  it('is in the middle where there is nothing to compare', () => {
    expect(fitLine([swept(4)], 100, 50)).toMatchObject([{ x: 50, y: 25 }]);
    expect(fitLine([], 100, 50)).toEqual([]);
  });

  it('has the axes of all lines that are drawn beside it', () => {
    const [ours, theirs] = fitLines([[swept(1, 0.5), swept(3, 0.9)], [swept(2, 0.1)], []], 100, 80);
    expect(ours?.map(({ x, y }) => [x, Math.round(y)])).toEqual([
      [0, 40],
      [100, 0],
    ]);
    expect(theirs).toMatchObject([{ x: 50, y: 80 }]);
  });

  it('tells fits near 1 apart by the logarithm of what is missing', () => {
    expect([scaled(0.9, 'log'), scaled(0.99, 'log'), scaled(1, 'log')].map(Math.round)).toEqual([1, 2, 12]);
    const [line] = fitLines([[swept(1, 0.9), swept(2, 0.99), swept(3, 0.9999)]], 90, 90, 'log');
    expect(line?.map(({ y }) => Math.round(y))).toEqual([90, 60, 0]);
  });

  it('runs over the seconds that had passed, from 0, for each program its own', () => {
    const slow = [1, 2].map((sweep) => ({ ...swept(sweep), seconds: 3 }));
    expect(elapsed(slow)).toEqual([3, 6]);
    const [ours, theirs] = fitLines([[swept(1), swept(2)], slow], 60, 50, 'fit', 'seconds');
    expect(ours?.map(({ x }) => x)).toEqual([10, 20]);
    expect(theirs?.map(({ x }) => x)).toEqual([30, 60]);
    expect(theirs?.map(({ y }) => y)).toEqual(ours?.map(({ y }) => y));
  });

  it('has passed the seconds of sweeps that are not drawn as well', () => {
    const many = Array.from({ length: 1001 }, (_, place) => swept(place + 1));
    const [line] = fitLines([many], 1001, 50, 'fit', 'seconds');
    expect(line?.map(({ x }) => Math.round(x))).toEqual(line?.map(({ of }) => of.sweep));
  });

  it('keeps the first and the last of many', () => {
    const line = fitLine(
      Array.from({ length: 1001 }, (_, place) => swept(place + 1)),
      100,
      50,
    );
    expect(line.length).toBeLessThanOrEqual(MOST_POINTS + 1);
    expect([line[0]?.of.sweep, line[line.length - 1]?.of.sweep]).toEqual([1, 1001]);
  });
});

describe('records that come in pieces', () => {
  it('are replaced from where a new process goes on', () => {
    const found = joined([swept(1), swept(2), swept(3)], [swept(2), swept(3), swept(4)]);
    expect(found.map(({ sweep }) => sweep)).toEqual([1, 2, 3, 4]);
    expect(joined(found, [])).toBe(found);
  });
});
