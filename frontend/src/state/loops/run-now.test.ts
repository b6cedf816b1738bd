import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { say } from '../editing/complaints';
import { createStore } from '../store';
import type { RunControl } from './run-control';
import { runNow } from './run-now';

const compiled = (ok: boolean) => ({ phase: 'done', result: { ok }, shown: null, problem: null }) as never;

function page(wide: boolean) {
  vi.stubGlobal('window', { matchMedia: () => ({ matches: wide }) });
  const store = createStore();
  store.patch({ compile: compiled(true) });
  const start = vi.fn(() => Promise.resolve());
  const compile = vi.fn();
  return { store, start, compile, press: () => runNow(store, { start } as unknown as RunControl, compile) };
}

describe('the key that runs', () => {
  beforeEach(() => say('field', null));
  afterEach(() => {
    say('field', null);
    vi.unstubAllGlobals();
  });

  it('runs what compiles, and brings the run into sight', () => {
    const { store, start, press } = page(false);
    store.look({ run: 'results', maximised: 'code' });
    press();
    expect(start).toHaveBeenCalledOnce();
    expect(store.get().view).toMatchObject({ run: 'result', maximised: null, front: 'run' });
  });

  it('compiles what does not', () => {
    const { store, start, compile, press } = page(true);
    store.patch({ compile: compiled(false) });
    press();
    expect(start).not.toHaveBeenCalled();
    expect(compile).toHaveBeenCalledOnce();
  });

  it('runs nothing while a field holds what cannot be used, or a run goes on', () => {
    const { store, start, press } = page(false);
    say('field', 'A, size of i: At most 10.');
    press();
    expect(start).not.toHaveBeenCalled();
    expect(store.get().view.front).toBe('run');
    say('field', null);
    store.patch({ run: { ...store.get().run, phase: 'submitting' } });
    press();
    expect(start).not.toHaveBeenCalled();
  });
});
