/**
 * Where the person is in the traced run: one current step, which every panel follows.
 *
 * A trace is what the checked interpreter did on small operands, one step per executed statement. Read it with
 * {@link usePlayback} and {@link currentStep}; a panel that needs a trace calls `useTraceWanted()` (use-playback.ts),
 * and the trace loop fetches it. It has its own listeners: moving at 60 steps a second must not wake those who
 * wait for the plan.
 */
import type { Problem, TraceStepView, TraceView } from '../api/types';
import { EXAMPLE } from './data/example-data';
import type { ExampleData } from './data/example-data';
import { createExternal } from './external';
import type { External } from './external';

/** What one press of "next" passes over: one executed statement, or all up to the next computed point. */
export type PlayUnit = 'statement' | 'visit';
export const SPEEDS = [1, 2, 4, 8, 16, 60, 240] as const;

export type TracePhase = 'idle' | 'loading' | 'ready' | 'refused' | 'failed';

export interface PlaybackState {
  /** `refused`: the service says in `trace.diagnostics` why there are no steps. `failed`: see `problem`. */
  readonly phase: TracePhase;
  /** The last trace; it stays while a newer one is on its way (`loading`). */
  readonly trace: TraceView | null;
  readonly problem: Problem | null;
  /** The hash of the compile that `trace` belongs to; the trace's own leaves the inputs out. */
  readonly planHash: string;
  /** The current step: an index into `trace.steps`; what it did has happened. 0 when there is none. */
  readonly index: number;
  readonly playing: boolean;
  readonly unit: PlayUnit;
  /** Units per second. */
  readonly speed: number;
  /** What runs are traced on, and every picture is drawn with. */
  readonly data: ExampleData;
  /** A person chose the data: no panel chooses others that suit it better. */
  readonly pinned: boolean;
  /** Where a play stops: lines of the texts of the plan that `trace` is of, by {@link breakpointAt}. */
  readonly breakpoints: ReadonlySet<string>;
  /** How many panels on the screen show a trace; the trace loop rests at 0. */
  readonly wanted: number;
}

export const INITIAL_PLAYBACK: PlaybackState = {
  phase: 'idle',
  trace: null,
  problem: null,
  planHash: '',
  index: 0,
  playing: false,
  unit: 'visit',
  speed: 4,
  data: EXAMPLE,
  pinned: false,
  breakpoints: new Set(),
  wanted: 0,
};

/** The step that was just executed: its line, what it changed, loaded and stored. Null without a trace. */
export function currentStep(state: PlaybackState): TraceStepView | null {
  return state.trace?.steps[state.index] ?? null;
}

/** The nearest step after (`direction` 1) or before (-1) `index` that the unit stops at; the end of the trace else. */
export function nextStop(trace: TraceView, index: number, unit: PlayUnit, direction: 1 | -1): number {
  const last = Math.max(trace.steps.length - 1, 0);
  let at = index + direction;
  while (at > 0 && at < last && unit === 'visit' && trace.steps[at]?.visit === null) at += direction;
  return Math.min(Math.max(at, 0), last);
}

/** Texts whose lines steps know: the generated code of the target, and the loops, structured and flat alike. */
export type SteppedText = 'c' | 'loops';

/** `line` is 1-based, as in a step. */
export const breakpointAt = (text: SteppedText, line: number): string => `${text}:${line}`;

const placesOf = (step: TraceStepView | undefined): readonly string[] =>
  step === undefined
    ? []
    : [breakpointAt('loops', step.line), ...(step.c_line === null ? [] : [breakpointAt('c', step.c_line)])];

/** The first step after `index`, up to `until`, that comes to a line with a breakpoint; null where none does. */
export function nextBreak(
  trace: TraceView,
  index: number,
  breakpoints: ReadonlySet<string>,
  until = trace.steps.length - 1,
): number | null {
  if (breakpoints.size === 0) return null;
  for (let at = index + 1; at <= until; at += 1) {
    const before = placesOf(trace.steps[at - 1]);
    if (placesOf(trace.steps[at]).some((place) => breakpoints.has(place) && !before.includes(place))) return at;
  }
  return null;
}

export type Frame = (tick: (milliseconds: number) => void) => void;

/** `frame` calls back once before the next repaint. */
export function createPlayback(frame: Frame = (tick) => void requestAnimationFrame(tick)) {
  const external: External<PlaybackState> = createExternal(INITIAL_PLAYBACK);
  const patch = (part: Partial<PlaybackState>): void => external.set({ ...external.get(), ...part });
  /** Only the newest loop of frames moves the step. */
  let run = 0;

  const seek = (index: number): void => {
    const { trace } = external.get();
    const last = Math.max((trace?.steps.length ?? 0) - 1, 0);
    patch({ index: Math.min(Math.max(Math.round(index), 0), last) });
  };
  const pause = (): void => {
    run += 1;
    if (external.get().playing) patch({ playing: false });
  };
  const play = (): void => {
    const { trace, index } = external.get();
    if (trace === null || trace.steps.length === 0) return;
    const mine = ++run;
    patch({ playing: true, index: index >= trace.steps.length - 1 ? 0 : index });
    let before: number | null = null;
    let due = 0;
    const tick = (now: number): void => {
      const state = external.get();
      if (mine !== run || state.trace === null) return;
      // A tab that was in the background must not jump ahead.
      due += (Math.min(now - (before ?? now), 250) / 1000) * state.speed;
      before = now;
      let at = state.index;
      const last = state.trace.steps.length - 1;
      let stopped = false;
      for (; due >= 1 && at < last && !stopped; due -= 1) {
        const next = nextStop(state.trace, at, state.unit, 1);
        const stop = nextBreak(state.trace, at, state.breakpoints, next);
        stopped = stop !== null;
        at = stop ?? next;
      }
      const going = at < last && !stopped;
      if (at !== state.index) patch({ index: at, playing: going });
      if (going) frame(tick);
    };
    frame(tick);
  };

  return {
    ...external,
    seek,
    play,
    pause,
    /** One unit forwards or backwards; stops the play. */
    step: (direction: 1 | -1): void => {
      pause();
      const { trace, index, unit } = external.get();
      if (trace !== null) seek(nextStop(trace, index, unit, direction));
    },
    /** To the next line with a breakpoint at once, or to the end. */
    runOn: (): void => {
      pause();
      const { trace, index, breakpoints } = external.get();
      if (trace !== null) seek(nextBreak(trace, index, breakpoints) ?? trace.steps.length - 1);
    },
    toggleBreakpoint: (place: string): void => {
      const breakpoints = new Set(external.get().breakpoints);
      if (!breakpoints.delete(place)) breakpoints.add(place);
      patch({ breakpoints });
    },
    setSpeed: (speed: number): void => patch({ speed }),
    setUnit: (unit: PlayUnit): void => patch({ unit }),
    /** Asks for a run on this data; the trace loop answers with {@link show}. */
    choose: (data: ExampleData): void => patch({ data, pinned: false }),
    /** The same, by a person. */
    pick: (data: ExampleData): void => patch({ data, pinned: true }),
    /** A panel that shows the trace came onto the screen; call what it returns when it leaves. */
    want: (): (() => void) => {
      patch({ wanted: external.get().wanted + 1 });
      return () => patch({ wanted: external.get().wanted - 1 });
    },
    loading: (): void => patch({ phase: 'loading' }),
    /** A new trace starts at its first step, paused. A trace of the same run keeps the step. */
    show: (trace: TraceView): void => {
      const old = external.get();
      if (old.trace !== trace) pause();
      const phase = trace.steps.length > 0 ? 'ready' : 'refused';
      patch({ phase, trace, problem: null, index: old.trace === trace ? old.index : 0 });
    },
    belongsTo: (planHash: string): void => {
      // The lines of another plan are other lines.
      if (external.get().planHash !== planHash) patch({ planHash, breakpoints: new Set() });
    },
    fail: (problem: Problem): void => {
      pause();
      patch({ phase: 'failed', problem });
    },
  };
}

export type Playback = ReturnType<typeof createPlayback>;
