import { beforeEach, describe, expect, it } from 'vitest';
import type { TraceStepView, TraceView } from '../api/types';
import { breakpointAt, createPlayback, currentStep, nextStop } from './playback';
import { scalarsOf } from '../viz/trace-values';

const step = (statement: number, part: Partial<TraceStepView> = {}): TraceStepView => ({
  statement,
  line: statement + 4,
  c_line: statement + 6,
  kind: 'assign',
  worker: {},
  changed: {},
  loads: [],
  store: null,
  fill: null,
  visit: null,
  ...part,
});

/** Two rows: the first computes at two points, the second at none. */
const STEPS = [
  step(0, { kind: 'iteration', changed: { i: 0 } }),
  step(1, { changed: { sum: 0 } }),
  step(2, { kind: 'iteration', changed: { jA: 0 } }),
  step(3, { changed: { sum: 5 }, visit: { i: 0, j: 0 } }),
  step(2, { kind: 'iteration', changed: { jA: 1 } }),
  step(3, { changed: { sum: 9 }, visit: { i: 0, j: 2 } }),
  step(4, { kind: 'store', store: { array: 'y_vals', index: 0, value: 9, atomic: false } }),
  step(0, { kind: 'iteration', changed: { i: 1 } }),
  step(1, { changed: { sum: 0 } }),
];

const TRACE: TraceView = {
  hash: 'h',
  ok: true,
  diagnostics: [],
  tensors: [],
  parameters: {},
  steps: STEPS,
  merges: [],
  launches: [],
  visits: 2,
  loads: 0,
  stores: 1,
  atomics: 0,
};

let frames: ((now: number) => void)[] = [];
const playback = () => createPlayback((tick) => void frames.push(tick));
const frame = (now: number): void => frames.splice(0).forEach((tick) => tick(now));
beforeEach(() => void (frames = []));

describe('the playback', () => {
  it('stops a play at a line with a breakpoint, whatever a step is, and goes on from there', () => {
    const play = playback();
    play.show(TRACE);
    play.belongsTo('plan');
    play.toggleBreakpoint(breakpointAt('c', 10));
    play.setSpeed(60);
    play.play();
    frame(0);
    frame(250);
    expect(play.get()).toMatchObject({ index: 6, playing: false });
    frame(500);
    expect(play.get().index).toBe(6);
    play.play();
    frame(600);
    frame(850);
    expect(play.get()).toMatchObject({ index: 8, playing: false });
  });

  it('runs on to the next breakpoint, else to the end; another plan has none', () => {
    const play = playback();
    play.show(TRACE);
    play.belongsTo('plan');
    play.toggleBreakpoint(breakpointAt('loops', 6));
    for (const index of [2, 4, 8]) {
      play.runOn();
      expect(play.get().index).toBe(index);
    }
    play.belongsTo('plan');
    expect(play.get().breakpoints.size).toBe(1);
    play.belongsTo('another');
    expect(play.get().breakpoints.size).toBe(0);
  });

  it('stops at computed points, or at every statement', () => {
    expect(nextStop(TRACE, 0, 'visit', 1)).toBe(3);
    expect(nextStop(TRACE, 3, 'visit', 1)).toBe(5);
    expect(nextStop(TRACE, 5, 'visit', 1)).toBe(8);
    expect(nextStop(TRACE, 5, 'visit', -1)).toBe(3);
    expect(nextStop(TRACE, 3, 'visit', -1)).toBe(0);
    expect(nextStop(TRACE, 0, 'statement', 1)).toBe(1);
    expect(nextStop(TRACE, 8, 'statement', 1)).toBe(8);
  });

  it('moves by the speed in units per second, and stops at the end', () => {
    const play = playback();
    play.show(TRACE);
    play.setSpeed(10);
    play.play();
    frame(1000);
    expect(play.get()).toMatchObject({ index: 0, playing: true });
    frame(1100);
    expect(currentStep(play.get())?.visit).toEqual({ i: 0, j: 0 });
    frame(1320);
    expect(play.get()).toMatchObject({ index: 8, playing: false });
    expect(frames).toEqual([]);
    play.play();
    expect(play.get()).toMatchObject({ index: 0, playing: true });
  });

  it('does not go on after a pause, and runs once however often play is pressed', () => {
    const play = playback();
    play.show(TRACE);
    play.setSpeed(10);
    play.play();
    play.play();
    frame(0);
    frame(100);
    expect(play.get().index).toBe(3);
    play.pause();
    frame(200);
    frame(300);
    expect(play.get()).toMatchObject({ index: 3, playing: false });
  });

  it('keeps the step of the same trace and starts a new one at its first step', () => {
    const play = playback();
    play.show(TRACE);
    play.seek(5);
    play.show(TRACE);
    expect(play.get().index).toBe(5);
    play.show({ ...TRACE, hash: 'other' });
    expect(play.get().index).toBe(0);
    play.seek(99);
    expect(play.get().index).toBe(8);
  });

  it('says that a run was refused when there are no steps', () => {
    const play = playback();
    play.show({ ...TRACE, ok: false, steps: [] });
    play.play();
    expect(play.get()).toMatchObject({ phase: 'refused', playing: false, index: 0 });
  });
});

describe('the values of scalars', () => {
  it('are those after the step, in the order of declaration', () => {
    const at = scalarsOf(TRACE);
    expect([...at(3)]).toEqual([
      ['i', 0],
      ['sum', 5],
      ['jA', 0],
    ]);
    expect(Object.fromEntries(at(5))).toEqual({ i: 0, sum: 9, jA: 1 });
    expect(Object.fromEntries(at(0))).toEqual({ i: 0 });
  });

  it('of an earlier iteration are forgotten when the next one begins', () => {
    expect(Object.fromEntries(scalarsOf(TRACE)(7))).toEqual({ i: 1 });
  });

  it('are the same by snapshots as from the start', () => {
    const steps = Array.from({ length: 100 }, () => STEPS).flat();
    const at = scalarsOf({ ...TRACE, steps });
    expect([...at(895)]).toEqual([...scalarsOf(TRACE)(895 % 9)]);
  });
});
