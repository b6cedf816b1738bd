import { afterEach, describe, expect, it, vi } from 'vitest';
import { toPlan } from '../../plan/plan';
import { measured } from '../runs/measured';
import { createStore } from '../store';
import type { RunControl } from './run-control';
import { readRuns, runToShow, settlePending, startRunMemory } from './run-memory';

const plan = { version: 2, expression: 'y(i) = x(i)' };
const other = { version: 2, expression: 'z(i) = x(i)' };
const run = (id: string, of = plan) => ({ id, plan: of });

describe('the run that is shown when the page opens', () => {
  it('is the one that was there, after a reload', () => {
    expect(runToShow(run('shown', other), [run('same')], plan, true)?.id).toBe('shown');
  });

  it('is one of this very plan otherwise', () => {
    expect(runToShow(run('shown', other), [run('else', other), run('same')], plan, false)?.id).toBe('same');
    expect(runToShow(run('shown'), [run('same')], plan, false)?.id).toBe('shown');
    expect(runToShow(undefined, [run('else', other)], plan, false)).toBeUndefined();
  });
});

describe('what the browser holds', () => {
  it('survives something else in its place', () => {
    expect([null, '{', '7', '[1, null, {"id": 3}]'].map(readRuns)).toEqual([[], [], [], []]);
    expect(readRuns(JSON.stringify([run('r1')]))).toEqual([run('r1')]);
  });
});

describe('the memory of runs', () => {
  const storages = { localStorage: new Map<string, string>(), sessionStorage: new Map<string, string>() };
  const storage = (map: Map<string, string>) => ({
    getItem: (key: string) => map.get(key) ?? null,
    setItem: (key: string, text: string) => void map.set(key, text),
  });
  const answers = new Map<string, [number, unknown]>();
  const stub = (): void => {
    vi.stubGlobal('window', {
      localStorage: storage(storages.localStorage),
      sessionStorage: storage(storages.sessionStorage),
    });
    vi.stubGlobal('fetch', (url: string) => {
      const [status, body] = answers.get(url) ?? [404, { title: 'Not found', status: 404, detail: '' }];
      return Promise.resolve(new Response(JSON.stringify(body), { status }));
    });
  };
  const result = { date: 'd', inputs: [], threads: 2, verification: { ok: true }, entries: [] };
  const view = (id: string, state: string) =>
    ({ id, state, plan, finished: state === 'done' ? 'now' : null, result: state === 'done' ? result : null }) as never;
  const control = (there: boolean) => {
    const resumed: [string, boolean][] = [];
    const started: true[] = [];
    const start = () => Promise.resolve(void started.push(true));
    const resume = (id: string, _: unknown, said: boolean) => {
      resumed.push([id, said]);
      return Promise.resolve(there);
    };
    return { resumed, started, control: { start, resume } as unknown as RunControl };
  };
  afterEach(() => {
    vi.unstubAllGlobals();
    storages.localStorage.clear();
    storages.sessionStorage.clear();
    answers.clear();
    measured.set([]);
  });

  it('holds a run from its first answer, and shows it when the same page opens again', () => {
    stub();
    const store = createStore();
    const own = toPlan(store.get().draft);
    startRunMemory(store, control(true).control);
    store.patch({ run: { phase: 'watching', view: view('r1', 'running'), plan: own, problem: null, stored: false } });
    expect(storages.localStorage.get('heddle.pending.1')).toContain('"r1"');

    answers.set('/api/v1/runs/r1', [200, view('r1', 'running')]);
    const later = control(true);
    startRunMemory(createStore(), later.control);
    expect(later.resumed).toEqual([['r1', true]]);

    store.patch({ run: { phase: 'ended', view: view('r1', 'done'), plan: own, problem: null, stored: false } });
    expect(storages.localStorage.get('heddle.pending.1')).toBe('[]');
  });

  it('asks for a run again whose request the service had not answered', () => {
    stub();
    const store = createStore();
    startRunMemory(store, control(true).control);
    const own = toPlan(store.get().draft);
    store.patch({ run: { phase: 'submitting', view: null, plan: own, problem: null, stored: false } });
    const later = control(true);
    startRunMemory(createStore(), later.control);
    expect(later.started).toEqual([true]);
    expect(later.resumed).toEqual([]);
  });

  it('shows the result before of a run that was cancelled', async () => {
    stub();
    const store = createStore();
    const own = toPlan(store.get().draft);
    startRunMemory(store, control(true).control);
    const earlier = { view: view('r1', 'done'), plan: own, stored: false };
    store.patch({
      run: { phase: 'ended', view: view('r2', 'cancelled'), plan: own, problem: null, stored: false, earlier },
    });
    answers.set('/api/v1/runs/r1', [200, view('r1', 'done')]);
    const reloaded = createStore();
    startRunMemory(reloaded, control(true).control);
    await vi.waitFor(() => expect(reloaded.get().run.earlier).toMatchObject({ view: { id: 'r1' } }));
  });

  it('forgets a run that the service has deleted', async () => {
    stub();
    const store = createStore();
    storages.sessionStorage.set('heddle.run.1', JSON.stringify([run('r1', toPlan(store.get().draft) as never)]));
    startRunMemory(store, control(false).control);
    await vi.waitFor(() => expect(storages.sessionStorage.get('heddle.run.1')).toBe('[]'));
  });

  it('gives runs that ended while no page was open their line among all results', async () => {
    stub();
    storages.localStorage.set('heddle.pending.1', JSON.stringify([run('ended'), run('going'), run('gone')]));
    answers.set('/api/v1/runs/ended', [200, view('ended', 'done')]);
    answers.set('/api/v1/runs/going', [200, view('going', 'running')]);
    await settlePending();
    expect(measured.get().map(({ id }) => id)).toEqual(['ended']);
    expect(readRuns(storages.localStorage.get('heddle.pending.1') ?? '').map(({ id }) => id)).toEqual(['going']);
  });
});
