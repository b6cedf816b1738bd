import { expect, it } from 'vitest';
import { DEFAULT_DRAFT } from '../../plan/plan';
import { createStore } from '../store';
import { startAddress } from './address-bar';

/** The history of a browser tab: entries with an address and what they remember. */
function tab() {
  const entries: { path: string; state: unknown }[] = [{ path: '/', state: null }];
  const listeners: (() => void)[] = [];
  let at = 0;
  const target = {
    get location() {
      const [pathname = '', hash] = (entries[at]?.path ?? '').split('#');
      return { pathname, hash: hash === undefined ? '' : `#${hash}` };
    },
    history: {
      get state() {
        return entries[at]?.state;
      },
      pushState: (state: unknown, _: string, path: string) => {
        entries.splice(++at, entries.length, { path, state });
      },
      replaceState: (state: unknown, _: string, path: string) => {
        entries[at] = { path, state };
      },
    },
    addEventListener: (name: string, listener: () => void) => {
      if (name === 'popstate') listeners.push(listener);
    },
  };
  const go = (steps: number): void => {
    at += steps;
    for (const listener of listeners) listener();
  };
  return { target: target as unknown as Window, go, length: () => entries.length };
}

it('goes back in the tour with the plan that its step speaks of, and forward again', () => {
  const store = createStore();
  const { target, go } = tab();
  store.patch({ tour: 3 });
  startAddress(store, target);
  const split = { ...DEFAULT_DRAFT, schedule: 'split(i, i0, i1, 2)' };
  store.update({ kind: 'open', draft: split });
  store.patch({ tour: 4 });
  go(-1);
  expect(store.get()).toMatchObject({ draft: DEFAULT_DRAFT, tour: 3 });
  go(1);
  expect(store.get()).toMatchObject({ draft: split, tour: 4 });
});

it('does not open a tour again that has ended, and writes no entry of its own for a step', () => {
  const store = createStore();
  const { target, go, length } = tab();
  store.patch({ tour: 1 });
  startAddress(store, target);
  store.patch({ tour: 2 });
  expect(length()).toBe(1);
  store.update({ kind: 'open', draft: { ...DEFAULT_DRAFT, schedule: '' } });
  store.patch({ tour: null });
  go(-1);
  expect(store.get()).toMatchObject({ draft: DEFAULT_DRAFT, tour: null });
});
