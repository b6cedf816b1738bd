import { describe, expect, it, vi } from 'vitest';
import { RETRY_MS, TimeoutError } from '../../api/client';
import type { CompileView, LegalView } from '../../api/types';
import { emptyView } from '../../viz/fixtures/parts';
import { legalKey } from '../editing/legal';
import { listMore, startLegalLoop } from './legal-loop';
import type { AskLegal, AskMore } from './legal-loop';
import { toPlan } from '../../plan/plan';
import { createStore } from '../store';

const answer = (hash: string): LegalView => ({ hash, ok: true, diagnostics: [], applied: 0, goals: [], commands: [] });
const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

function compiled(store: ReturnType<typeof createStore>): void {
  const result: CompileView = emptyView(store.get().draft.expression);
  store.patch({ compile: { phase: 'done', result, shown: null, problem: null } });
}

describe('the legal commands of the draft', () => {
  it('are asked for only while somebody needs them, once for each plan', async () => {
    const store = createStore();
    const ask = vi.fn<AskLegal>((plan) => Promise.resolve(answer(plan.expression)));
    startLegalLoop(store, ask);
    compiled(store);
    expect(ask).not.toHaveBeenCalled();
    const leave = store.legal.want();
    await turn();
    expect(ask).toHaveBeenCalledTimes(1);
    expect(store.legal.get()).toMatchObject({ key: legalKey(toPlan(store.get().draft)), problem: null });
    compiled(store);
    store.update({ kind: 'threads', threads: 2 });
    compiled(store);
    await turn();
    expect(ask).toHaveBeenCalledTimes(1);
    leave();
    store.update({ kind: 'expression', text: 'y(i) = x(i)' });
    compiled(store);
    expect(ask).toHaveBeenCalledTimes(1);
  });

  it('never let an older answer replace a newer one', async () => {
    const store = createStore();
    const answers: ((view: LegalView) => void)[] = [];
    startLegalLoop(store, () => new Promise((resolve) => answers.push(resolve)));
    store.legal.want();
    compiled(store);
    store.update({ kind: 'expression', text: 'y(i) = x(i)' });
    compiled(store);
    answers[1]?.(answer('newer'));
    answers[0]?.(answer('older'));
    await turn();
    expect(store.legal.get().view?.hash).toBe('newer');
  });

  it('keep the last answer and say what went wrong', async () => {
    const store = createStore();
    const ask = vi.fn<AskLegal>(() => Promise.reject(new Error('gone')));
    startLegalLoop(store, ask);
    store.legal.want();
    compiled(store);
    await turn();
    expect(store.legal.get().view).toBeNull();
    expect(store.legal.get().problem).not.toBeNull();
    store.update({ kind: 'threads', threads: 2 });
    compiled(store);
    await turn();
    expect(ask).toHaveBeenCalledTimes(2);
  });

  it('ask again for what did not come in time', async () => {
    vi.useFakeTimers();
    try {
      const store = createStore();
      const ask = vi.fn<AskLegal>(() => Promise.resolve(answer('later'))).mockRejectedValueOnce(new TimeoutError(30));
      startLegalLoop(store, ask);
      store.legal.want();
      compiled(store);
      await vi.advanceTimersByTimeAsync(RETRY_MS);
      expect(store.legal.get()).toMatchObject({ problem: null, view: { hash: 'later' } });
    } finally {
      vi.useRealTimers();
    }
  });

  it('list more of one command behind those that are there, unless the plan has changed', async () => {
    const store = createStore();
    const named = (...texts: string[]) => texts.map((text) => ({ text, variables: [], why_not: null, instead: null }));
    const listed = (left_out: number, ...texts: string[]): LegalView => ({
      ...answer('long'),
      commands: [{ name: 'split', candidates: named(...texts), left_out }],
    });
    startLegalLoop(store, () => Promise.resolve(listed(2, 'a', 'b')));
    store.legal.want();
    compiled(store);
    await turn();
    const ask = vi.fn<AskMore>(() => Promise.resolve(listed(0, 'c', 'd')));
    await listMore(store, 'split', ask);
    expect(ask).toHaveBeenCalledWith(expect.anything(), 'split', 2);
    const [group] = store.legal.get().view?.commands ?? [];
    expect(group?.candidates.map(({ text }) => text)).toEqual(['a', 'b', 'c', 'd']);
    expect(group?.left_out).toBe(0);
    store.update({ kind: 'expression', text: 'y(i) = x(i)' });
    await listMore(store, 'split', ask);
    expect(ask).toHaveBeenCalledTimes(1);
  });
});
