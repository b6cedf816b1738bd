import { describe, expect, it, vi } from 'vitest';
import { RETRY_MS, TimeoutError } from '../../api/client';
import type { CompileView, Operands, TraceView } from '../../api/types';
import { toPlan } from '../../plan/plan';
import type { ExampleData } from '../data/example-data';
import { nextShown } from '../shown';
import { createStore } from '../store';
import { startTraceLoop } from './trace-loop';
import type { Trace } from './trace-loop';

const answer = (hash: string): TraceView => ({
  hash,
  ok: true,
  diagnostics: [],
  tensors: [],
  parameters: {},
  steps: [],
  merges: [],
  launches: [],
  visits: 0,
  loads: 0,
  stores: 0,
  atomics: 0,
});
const settle = (): Promise<void> => new Promise((done) => setTimeout(done, 0));

const given = (operands: Operands): ExampleData => ({
  id: 'given',
  title: 'Given',
  part: '',
  operands: () => operands,
});
const TENSORS = [{ name: 'A', order: 2, result: false }];

function setUp() {
  const store = createStore();
  const trace = vi.fn<Trace>((plan) => Promise.resolve(answer(plan.expression)));
  startTraceLoop(store, trace);
  const compiled = (ok: boolean): void => {
    const result = { ok, tensors: TENSORS, commands: [], diagnostics: [] } as unknown as CompileView;
    const { shown } = store.get().compile;
    const next = nextShown(shown, toPlan(store.get().draft), result, null);
    store.patch({ compile: { phase: 'done', result, shown: next, problem: null } });
  };
  return { store, trace, compiled };
}

describe('the trace loop', () => {
  it('asks when somebody looks and the plan compiles, once', async () => {
    const { store, trace, compiled } = setUp();
    compiled(true);
    expect(trace).not.toHaveBeenCalled();
    const leave = store.playback.want();
    compiled(true);
    await settle();
    expect(trace).toHaveBeenCalledTimes(1);
    expect(trace.mock.calls[0]?.[0]).not.toHaveProperty('inputs');
    expect(store.playback.get().trace?.hash).toBe('y(i) = A(i,j) * x(j)');
    leave();
    store.update({ kind: 'expression', text: 'a = b' });
    compiled(true);
    expect(trace).toHaveBeenCalledTimes(1);
  });

  it('keeps the last trace while the plan has an error', async () => {
    const { store, trace, compiled } = setUp();
    store.playback.want();
    compiled(true);
    await settle();
    store.update({ kind: 'expression', text: 'a = ' });
    compiled(false);
    await settle();
    expect(trace).toHaveBeenCalledTimes(1);
    expect(store.playback.get().trace?.hash).toBe('y(i) = A(i,j) * x(j)');
  });

  it('leaves out operands that the expression does not have', async () => {
    const { store, trace, compiled } = setUp();
    store.playback.choose(given({ A: [1, 2], B: [[1]] }));
    store.playback.want();
    compiled(true);
    await settle();
    expect(trace.mock.calls[0]?.[1]).toEqual({});
  });

  it('shows the newest answer only', async () => {
    const { store, trace, compiled } = setUp();
    let late: (view: TraceView) => void = () => undefined;
    trace.mockImplementationOnce(() => new Promise((done) => (late = done)));
    store.playback.want();
    compiled(true);
    store.playback.choose(given({ A: [[1]] }));
    await settle();
    late(answer('late'));
    await settle();
    expect(store.playback.get().trace?.hash).toBe('y(i) = A(i,j) * x(j)');
    expect(trace.mock.calls[1]?.[1]).toEqual({ A: [[1]] });
  });

  it('asks again for what did not come in time', async () => {
    vi.useFakeTimers();
    try {
      const { store, trace, compiled } = setUp();
      trace.mockRejectedValueOnce(new TimeoutError(30));
      store.playback.want();
      compiled(true);
      await vi.advanceTimersByTimeAsync(0);
      expect(store.playback.get().phase).toBe('failed');
      await vi.advanceTimersByTimeAsync(RETRY_MS);
      expect(trace).toHaveBeenCalledTimes(2);
      expect(store.playback.get()).toMatchObject({ problem: null, trace: { hash: 'y(i) = A(i,j) * x(j)' } });
    } finally {
      vi.useRealTimers();
    }
  });
});
