/** What two plans differ in, and what their kernels do on the same small operands, as rows of tables. */
import type { TraceTensorView, TraceView } from '../../api/types';
import { commandsOf } from '../../plan/plan';
import type { Draft } from '../../plan/plan';
import { pairLines } from './lines';

export interface Setting {
  readonly name: string;
  readonly left: string;
  readonly right: string;
}

/** Everything but the schedule in which the plans differ. */
export function settingsOf(left: Draft, right: Draft): Setting[] {
  const all: Setting[] = [
    { name: 'Expression', left: left.expression, right: right.expression },
    ...tensorSettings(left, right),
    { name: 'Target', left: left.target, right: right.target },
    ...named(left.inputs, right.inputs).map((tensor) => ({
      name: `Data of ${tensor}`,
      left: inputText(left.inputs[tensor]),
      right: inputText(right.inputs[tensor]),
    })),
    { name: 'Baselines', left: baselinesText(left), right: baselinesText(right) },
    { name: 'Threads', left: threadsText(left), right: threadsText(right) },
    { name: 'Default loop order', left: orderText(left), right: orderText(right) },
  ];
  return all.filter((one) => one.left !== one.right);
}

const named = (...records: readonly Readonly<Record<string, unknown>>[]): string[] =>
  [...new Set(records.flatMap((record) => Object.keys(record)))].sort();

function tensorSettings(left: Draft, right: Draft): Setting[] {
  return named(left.tensors, right.tensors).flatMap((tensor) => {
    const [one, other] = [left.tensors[tensor] ?? {}, right.tensors[tensor] ?? {}];
    return [
      { name: `Format of ${tensor}`, left: one.format ?? 'dense', right: other.format ?? 'dense' },
      { name: `Type of ${tensor}`, left: one.dtype ?? 'float64', right: other.dtype ?? 'float64' },
      { name: `Shape of ${tensor}`, left: shapeText(one.shape), right: shapeText(other.shape) },
    ];
  });
}

const shapeText = (shape: readonly number[] | undefined): string => shape?.join(' × ') ?? 'from the data';
const threadsText = ({ threads }: Draft): string => (threads === null ? 'all the machine has' : String(threads));
const orderText = ({ version }: Draft): string => `of version ${version}`;
const baselinesText = ({ baselines }: Draft): string =>
  baselines.length === 0 ? 'none' : [...baselines].sort().join(', ');

function inputText(input: Draft['inputs'][string] | undefined): string {
  if (input === undefined) return 'none chosen';
  return Object.entries(input)
    .map(([key, value]) => (['dataset', 'generator'].includes(key) ? String(value) : `${key} ${String(value)}`))
    .join(', ');
}

export interface CommandPair {
  readonly left: string | null;
  readonly right: string | null;
  /** 0-based place in the schedule on the page; null for a command of the other plan alone. */
  readonly command: number | null;
  readonly same: boolean;
}

/** The two schedules, command by command; white space plays no part. */
export function commandPairs(left: Draft, right: Draft): CommandPair[] {
  const [old, fresh] = [commandsOf(left.schedule), commandsOf(right.schedule)];
  const plain = (command: string): string => command.replace(/\s+/g, '');
  return pairLines(old.map(plain), fresh.map(plain)).map((pair) => ({
    left: pair.left === null ? null : (old[pair.left] ?? null),
    right: pair.right === null ? null : (fresh[pair.right] ?? null),
    command: pair.right,
    same: pair.same,
  }));
}

export interface WorkRow {
  readonly name: string;
  readonly left: number | null;
  readonly right: number | null;
}

/** What each kernel does, counted by the checked interpreter; null for a side that has no run. */
export function workRows(left: TraceView | null, right: TraceView | null): WorkRow[] {
  const row = (name: string, count: (trace: TraceView) => number): WorkRow => ({
    name,
    left: left?.ok ? count(left) : null,
    right: right?.ok ? count(right) : null,
  });
  return [
    row('statements', (trace) => trace.steps.length),
    row('points computed', (trace) => trace.visits),
    row('loads', (trace) => trace.loads),
    row('stores', (trace) => trace.stores),
    row('atomics', (trace) => trace.atomics),
  ];
}

/** Whether both runs were given the same numbers, by coordinate: formats may store them in another order. */
export function sameOperands(left: TraceView, right: TraceView): boolean {
  const given = (trace: TraceView): Map<string, string> =>
    new Map(trace.tensors.filter(({ origin }) => origin !== 'result').map((one) => [one.tensor, entriesText(one)]));
  const [mine, yours] = [given(left), given(right)];
  return mine.size === yours.size && [...mine].every(([tensor, text]) => yours.get(tensor) === text);
}

function entriesText({ tensor, shape, arrays, coordinates }: TraceTensorView): string {
  const values = arrays[`${tensor}_vals`] ?? [];
  // Zeros may be stored or not, as the format wants.
  const entries = values.flatMap((value, position) =>
    value === 0 || value === null ? [] : [`${(coordinates[position] ?? []).join(' ')}: ${String(value)}`],
  );
  return JSON.stringify([shape, entries.sort()]);
}
