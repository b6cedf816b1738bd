import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError, OfflineError, RETRY_MS, TimeoutError } from '../../api/client';
import type { CompileView } from '../../api/types';
import { PAUSE_MS, startCompileLoop } from './compile-loop';
import type { Compile } from './compile-loop';
import { canonicalJson, toPlan } from '../../plan/plan';
import type { PlanDocument } from '../../plan/plan';
import { createStore } from '../store';

const view = (ok: boolean, plan: PlanDocument): CompileView => ({
  plan: { ...plan },
  hash: plan.expression,
  ok,
  milliseconds: 1,
  diagnostics: [],
  tensors: [],
  temporaries: [],
  conversions: [],
  variables: [],
  commands: [],
  graph: ok ? { nodes: [], paths: [], statements: [], chains: [], text: plan.expression } : null,
  provenance: null,
  lattices: [],
  stages: [],
  code: ok ? { language: 'c', text: plan.expression, spans: [], symbols: {} } : null,
  coordinates: null,
  regions: [],
  launches: [],
  ranges: null,
  patterns: null,
  before: null,
});

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const settle = (ms: number): Promise<void> => vi.advanceTimersByTimeAsync(ms).then(() => undefined);

describe('the compile loop', () => {
  it('compiles at the start, the first key at once, then once after a pause in typing', async () => {
    const store = createStore();
    const compile = vi.fn<Compile>((plan) => Promise.resolve(view(true, plan)));
    startCompileLoop(store, compile);
    await settle(0);
    expect(compile).toHaveBeenCalledTimes(1);
    for (const text of ['a', 'ab', 'abc']) {
      store.update({ kind: 'expression', text });
      expect(compile).toHaveBeenCalledTimes(2);
      await settle(PAUSE_MS.least - 10);
    }
    expect(compile).toHaveBeenCalledTimes(2);
    await settle(20);
    expect(compile).toHaveBeenCalledTimes(3);
    expect(store.get().compile).toMatchObject({ phase: 'done', result: { hash: 'abc' } });
  });

  it('waits as long as the last answer took, within bounds', async () => {
    const store = createStore();
    let takes = 120;
    const compile = vi.fn<Compile>(
      (plan) => new Promise((resolve) => setTimeout(() => resolve(view(true, plan)), takes)),
    );
    startCompileLoop(store, compile);
    const pauses: number[] = [];
    for (const next of [5000, 1, 1]) {
      await settle(takes);
      takes = next;
      // The second of two keys that follow each other at once.
      store.update({ kind: 'expression', text: 'first key' });
      store.update({ kind: 'expression', text: `after ${next} ${pauses.length}` });
      const before = compile.mock.calls.length;
      let waited = 0;
      for (; compile.mock.calls.length === before; waited += 4) await settle(4);
      pauses.push(waited);
    }
    expect(pauses).toEqual([120, PAUSE_MS.most, PAUSE_MS.least]);
  });

  it('compiles at once when forced', async () => {
    const store = createStore();
    const compile = vi.fn<Compile>((plan) => Promise.resolve(view(true, plan)));
    const loop = startCompileLoop(store, compile);
    await settle(0);
    store.update({ kind: 'expression', text: 'now' });
    loop.force();
    await settle(0);
    expect(store.get().compile.result?.hash).toBe('now');
    await settle(PAUSE_MS.most * 2);
    expect(compile).toHaveBeenCalledTimes(2);
  });

  it('aborts what a newer text has overtaken and never shows it', async () => {
    const store = createStore();
    const answers: ((value: CompileView) => void)[] = [];
    const signals: AbortSignal[] = [];
    const compile: Compile = (_plan, signal) => {
      signals.push(signal);
      return new Promise((resolve) => answers.push(resolve));
    };
    startCompileLoop(store, compile);
    store.update({ kind: 'expression', text: 'newer' });
    expect(signals[0]?.aborted).toBe(true);
    await settle(PAUSE_MS.most);
    answers[1]?.(view(true, { version: 1, expression: 'newer' }));
    answers[0]?.(view(true, { version: 1, expression: 'older' }));
    await settle(0);
    expect(store.get().compile.result?.hash).toBe('newer');
  });

  it('keeps the last pictures, marked, while a plan does not compile', async () => {
    const store = createStore();
    const compile: Compile = (plan) => Promise.resolve(view(plan.expression !== 'broken', plan));
    startCompileLoop(store, compile);
    await settle(0);
    store.update({ kind: 'expression', text: 'broken' });
    await settle(PAUSE_MS.most);
    const { result, shown } = store.get().compile;
    expect(result?.ok).toBe(false);
    expect(shown?.drawn).toEqual({ kind: 'earlier' });
    expect(shown?.view.code?.text).toBe('y(i) = A(i,j) * x(j)');
    expect(shown?.plan.expression).toBe('y(i) = A(i,j) * x(j)');
    store.update({ kind: 'expression', text: 'mended' });
    await settle(PAUSE_MS.most);
    expect(store.get().compile.shown?.drawn).toEqual({ kind: 'text' });
  });

  it('draws the plan of the commands before a refused one, which comes in the same answer', async () => {
    const store = createStore();
    const compile = vi.fn<Compile>((plan) => {
      const refused = plan.schedule?.findIndex((command) => command.startsWith('no')) ?? -1;
      const commands = (plan.schedule ?? []).map((text, index) => ({
        index,
        text,
        name: '',
        arguments: [],
        status: index < refused || refused < 0 ? ('applied' as const) : ('failed' as const),
      }));
      const hash = canonicalJson(plan);
      if (refused < 0) return Promise.resolve({ ...view(true, plan), hash, commands });
      const { schedule = [], ...bare } = plan;
      const valid = refused === 0 ? bare : { ...plan, schedule: schedule.slice(0, refused) };
      const before = { ...view(true, valid), hash: canonicalJson(valid) };
      return Promise.resolve({ ...view(false, plan), hash, commands, before });
    });
    startCompileLoop(store, compile);
    store.update({ kind: 'schedule', text: 'first\nno\nlast' });
    await settle(PAUSE_MS.most);
    expect(compile).toHaveBeenCalledTimes(2);
    const before = { ...toPlan(store.get().draft), schedule: ['first'] };
    const { result, shown } = store.get().compile;
    expect(result?.ok).toBe(false);
    expect(shown).toMatchObject({ drawn: { kind: 'commands', count: 1 }, plan: before, view: { ok: true } });
    expect(shown?.view.hash).toBe(canonicalJson(before));
    const asked = compile.mock.calls.length;
    store.update({ kind: 'schedule', text: 'first\nnot\nlast' });
    await settle(PAUSE_MS.most);
    expect(compile).toHaveBeenCalledTimes(asked + 1);
    expect(store.get().compile.shown?.view).toBe(shown?.view);
    store.update({ kind: 'schedule', text: 'no\nlast' });
    await settle(PAUSE_MS.most);
    expect(store.get().compile.shown?.drawn).toEqual({ kind: 'commands', count: 0 });
    expect(store.get().compile.shown?.plan).not.toHaveProperty('schedule');
  });

  it('says that it is offline, keeps the result, and tries again by itself', async () => {
    const store = createStore();
    let connected = true;
    const compile = vi.fn<Compile>((plan) =>
      connected ? Promise.resolve(view(true, plan)) : Promise.reject(new OfflineError()),
    );
    startCompileLoop(store, compile);
    await settle(0);
    connected = false;
    store.update({ kind: 'expression', text: 'later' });
    await settle(PAUSE_MS.most);
    expect(store.get().compile).toMatchObject({ phase: 'offline', result: { hash: 'y(i) = A(i,j) * x(j)' } });
    connected = true;
    await settle(RETRY_MS);
    expect(store.get().compile).toMatchObject({ phase: 'done', result: { hash: 'later' }, problem: null });
  });

  it.each([
    ['late', new TimeoutError(30)],
    ['busy', new ApiError({ type: '', title: 'Too much compiling', status: 429, detail: '', instance: null })],
  ])('asks again when the service is %s, and says so meanwhile', async (_, error) => {
    const store = createStore();
    const compile = vi.fn<Compile>((plan) => Promise.resolve(view(true, plan))).mockRejectedValueOnce(error);
    startCompileLoop(store, compile);
    await settle(0);
    expect(store.get().compile).toMatchObject({ phase: 'failed', result: null });
    await settle(RETRY_MS);
    expect(store.get().compile).toMatchObject({ phase: 'done', problem: null });
    expect(compile).toHaveBeenCalledTimes(2);
  });

  it('does not ask again for what was refused', async () => {
    const store = createStore();
    const refused = new ApiError({ type: '', title: 'Too large', status: 422, detail: '', instance: null });
    const compile = vi.fn<Compile>(() => Promise.reject(refused));
    startCompileLoop(store, compile);
    await settle(RETRY_MS * 3);
    expect(store.get().compile.phase).toBe('failed');
    expect(compile).toHaveBeenCalledTimes(1);
  });

  it('does not compile again when only the view changes', async () => {
    const store = createStore();
    const compile = vi.fn<Compile>((plan) => Promise.resolve(view(true, plan)));
    startCompileLoop(store, compile);
    await settle(0);
    store.look({ code: 'stages' });
    store.update({ kind: 'schedule', text: `${store.get().draft.schedule}\n\n` });
    await settle(PAUSE_MS.most * 2);
    expect(compile).toHaveBeenCalledTimes(1);
  });
});
