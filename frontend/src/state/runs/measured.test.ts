import { afterEach, describe, expect, it, vi } from 'vitest';
import type { RunView } from '../../api/types';
import { createStore } from '../store';
import { forget, keep, measured, pin, readMeasured, startMeasured } from './measured';

const KEY = 'heddle.results.1';
const plan = { expression: 'y(i) = x(i)' };
const result = { date: 'd', inputs: [], threads: 2, verification: { ok: true }, entries: [] };
const run = (id: string) => ({ id, plan, state: 'done', result }) as unknown as RunView;
const line = (id: string) => ({ id, date: 'd', plan, inputs: '', ratios: {}, pinned: false });

/** A browser whose storage another tab writes to as well. */
function browser(): { readonly kept: Map<string, string>; readonly otherTab: (...ids: string[]) => void } {
  const kept = new Map<string, string>();
  const listeners: ((event: { key: string }) => void)[] = [];
  vi.stubGlobal('window', {
    localStorage: {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, text: string) => void kept.set(key, text),
    },
    addEventListener: (_: string, listener: (event: { key: string }) => void) => void listeners.push(listener),
  });
  const otherTab = (...ids: string[]): void => {
    kept.set(KEY, JSON.stringify(ids.map(line)));
    for (const listener of listeners) listener({ key: KEY });
  };
  return { kept, otherTab };
}

const ids = (): string[] => measured.get().map(({ id }) => id);
const keptIds = (kept: Map<string, string>): string[] => readMeasured(kept.get(KEY) ?? null).map(({ id }) => id);

afterEach(() => {
  vi.unstubAllGlobals();
  measured.set([]);
});

describe('results of two tabs', () => {
  it('are all kept, whichever tab writes last', () => {
    const { kept } = browser();
    startMeasured(createStore());
    kept.set(KEY, JSON.stringify([line('theirs')]));
    keep(run('ours'));
    expect(keptIds(kept)).toEqual(['ours', 'theirs']);
    kept.set(KEY, JSON.stringify([line('later'), line('ours'), line('theirs')]));
    pin('ours', true);
    forget('theirs');
    expect(keptIds(kept)).toEqual(['later', 'ours']);
    expect(measured.get().find(({ id }) => id === 'ours')?.pinned).toBe(true);
  });

  it('are seen in both at once', () => {
    const { otherTab } = browser();
    startMeasured(createStore());
    otherTab('theirs');
    expect(ids()).toEqual(['theirs']);
  });
});

it('does not bring back the line of the run on the page that was taken away', () => {
  browser();
  const store = createStore();
  startMeasured(store);
  const ended = { phase: 'ended', view: run('mine'), plan: null, problem: null, stored: false } as const;
  store.patch({ run: ended });
  expect(ids()).toEqual(['mine']);
  forget('mine');
  store.patch({ notice: 'anything else changes' });
  store.patch({ run: { ...ended, folded: true } });
  expect(ids()).toEqual([]);
});
