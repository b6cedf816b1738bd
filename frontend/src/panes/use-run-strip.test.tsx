import { cleanup, renderHook } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import type { ReactNode } from 'react';
import { createStore, StoreProvider } from '../state/store';
import { useRunStrip } from './use-run-strip';

afterEach(() => vi.unstubAllGlobals());
afterEach(cleanup);

it('is a strip before anything was run, and a pane of its own beside a lesson', () => {
  const wide = { matches: true, addEventListener: () => undefined, removeEventListener: () => undefined };
  vi.stubGlobal('matchMedia', () => wide);
  const store = createStore();
  const shown = () =>
    renderHook(() => useRunStrip(), {
      wrapper: ({ children }: { children: ReactNode }) => <StoreProvider value={store}>{children}</StoreProvider>,
    }).result.current;
  expect(shown()).toBe(true);
  store.patch({ lesson: 'measure-and-defend' });
  expect(shown()).toBe(false);
});
