import { act, render } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { CompileView } from '../api/types';
import type { Drawn, Shown } from '../state/shown';
import { createStore, StoreProvider } from '../state/store';
import { LATE_MS, Stale } from './Stale';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const shownAs = (drawn: Drawn): Shown => ({
  view: {} as CompileView,
  plan: { version: 1, expression: '' },
  drawn,
  tensors: [],
});

function draw(drawn: Drawn) {
  const store = createStore();
  const shown = shownAs(drawn);
  const { compile } = store.get();
  store.patch({ compile: { ...compile, phase: 'done', shown } });
  const { container } = render(
    <StoreProvider value={store}>
      <Stale of={shown}>drawn</Stale>
    </StoreProvider>,
  );
  const mark = () => container.querySelector<HTMLElement>('.stale')?.dataset['stale'];
  const patch = (part: Partial<typeof compile>) =>
    act(() => store.patch({ compile: { ...store.get().compile, ...part } }));
  return { mark, patch, text: () => container.textContent };
}

describe('the mark of what is stale', () => {
  it('comes where an answer is late, and leaves with it', () => {
    const { mark, patch } = draw({ kind: 'text' });
    patch({ phase: 'compiling' });
    act(() => void vi.advanceTimersByTime(LATE_MS - 1));
    expect(mark()).toBeUndefined();
    act(() => void vi.advanceTimersByTime(1));
    expect(mark()).toBe('pending');
    patch({ phase: 'done' });
    expect(mark()).toBeUndefined();
  });

  it('comes where a later answer is not drawn yet', () => {
    const { mark, patch } = draw({ kind: 'text' });
    patch({ shown: shownAs({ kind: 'text' }) });
    act(() => void vi.advanceTimersByTime(LATE_MS));
    expect(mark()).toBe('pending');
  });

  it('says of what is drawn whose it is', () => {
    const part = draw({ kind: 'commands', count: 2 });
    expect([part.mark(), part.text()]).toEqual(['part', 'After command 2: command 3 is refused.drawn']);
    const old = draw({ kind: 'text' });
    old.patch({ phase: 'offline' });
    expect([old.mark(), old.text()]).toEqual(['old', 'From the last plan that compiled.drawn']);
  });
});
