/**
 * The schedule folded back step by step: one frame for each number of commands, from none to all
 * (docs/sources.toml V8).
 */
import type { CompileView, TraceTensorView, TraceView } from '../../api/types';
import { tracedPlan } from '../../plan/plan';
import type { PlanDocument } from '../../plan/plan';
import { DEFAULT_TARGET, TARGETS } from '../../plan/targets';

type TraceValue = NonNullable<TraceTensorView['arrays'][string][number]>;

export interface Frame {
  /** How many commands are in force. */
  readonly count: number;
  /** The command that this frame adds; null for the first frame. */
  readonly command: string | null;
  /** Null until the service has answered. */
  readonly view: CompileView | null;
  readonly trace: TraceView | null;
  /** Why there is no answer, in words, or null. */
  readonly problem: string | null;
  /** What `view` and `trace` are of, where that is not the plan's own target: {@link unmappedPlan}. */
  readonly preview: PlanDocument | null;
}

/** Plans of all frames; inputs and how a run is measured play no part in what a frame shows. */
export function framePlans(plan: PlanDocument): PlanDocument[] {
  const { schedule = [], ...rest } = tracedPlan(plan);
  return Array.from({ length: schedule.length + 1 }, (_, count) =>
    count === 0 ? rest : { ...rest, schedule: schedule.slice(0, count) },
  );
}

/** Commands that put a loop on a unit of a GPU. */
const ON_GPU = /^parallelize\([^)]*\bGPU\w+/;
const onGpu = (command: string): boolean => ON_GPU.test(command.replaceAll(/\s/g, ''));

/**
 * The plan with its loops on no unit, which the CPU runs one after the other: a step of a schedule for a GPU before its
 * units are all mapped. Null where the target needs no units.
 */
export function unmappedPlan(plan: PlanDocument): PlanDocument | null {
  if (!TARGETS[plan.target ?? DEFAULT_TARGET].mapped) return null;
  const { target, schedule = [], ...rest } = plan;
  void target;
  const kept = schedule.filter((command) => !onGpu(command));
  return kept.length === 0 ? rest : { ...rest, schedule: kept };
}

/** Whether the frame after `count` commands comes before the first unit is mapped. */
export function beforeUnits(schedule: readonly string[], count: number): boolean {
  return schedule.some(onGpu) && !schedule.slice(0, count).some(onGpu);
}

/** Whether two runs on the same operands gave the same numbers; null where one of them gave none. */
export function sameResult(first: TraceView | null, other: TraceView | null): boolean | null {
  const left = resultOf(first);
  const right = resultOf(other);
  if (left === null || right === null) return null;
  const [mine, yours] = [valuesOf(left), valuesOf(right)];
  const places = new Set([...mine.keys(), ...yours.keys()]);
  return [...places].every((place) => close(mine.get(place) ?? 0, yours.get(place) ?? 0));
}

function resultOf(trace: TraceView | null): TraceTensorView | null {
  return trace?.ok ? (trace.tensors.find(({ origin }) => origin === 'result') ?? null) : null;
}

/** Coordinates of each position (as a text) to values: two schedules may store a result in different orders. */
function valuesOf(tensor: TraceTensorView): Map<string, TraceValue> {
  const values = tensor.arrays[`${tensor.tensor}_vals`] ?? [];
  const places = new Map<string, TraceValue>();
  values.forEach((value, position) => {
    const place = (tensor.coordinates[position] ?? []).join(' ');
    if (value !== null) places.set(place, value);
  });
  return places;
}

/** Schedules may add in another order, so the last digits of a sum may differ. */
function close(left: TraceValue, right: TraceValue): boolean {
  if (typeof left !== 'number' || typeof right !== 'number') return left === right;
  return Math.abs(left - right) <= 1e-9 * Math.max(1, Math.abs(left), Math.abs(right));
}

export interface Fact {
  readonly name: string;
  readonly value: number;
  /** Against the frame before; null for the first. */
  readonly change: number | null;
}

/** What the kernel of a frame does on the small operands, counted by the interpreter. */
export function factsOf(frame: Frame, before: Frame | undefined): Fact[] {
  const { trace } = frame;
  if (!trace?.ok) return [];
  const old = before?.trace?.ok ? before.trace : null;
  const fact = (name: string, count: (trace: TraceView) => number): Fact => ({
    name,
    value: count(trace),
    change: old === null ? null : count(trace) - count(old),
  });
  const facts = [
    fact('statements', (one) => one.steps.length),
    fact('points computed', (one) => one.visits),
    fact('loads', (one) => one.loads),
    fact('stores', (one) => one.stores),
    fact('atomics', (one) => one.atomics),
  ];
  return facts.filter(({ name, value, change }) => name !== 'atomics' || value > 0 || Boolean(change));
}
