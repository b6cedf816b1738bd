import { describe, expect, it } from 'vitest';
import type { CodeView, CompileView, TextView } from '../../api/types';
import { toPlan } from '../../plan/plan';
import { createStore } from '../store';
import { showMoreText } from './more-text';

const code = (text: string, left: number): CodeView => ({
  language: 'c',
  text,
  spans: [],
  symbols: {},
  left_out: left,
});

const stage = { id: 'flat', title: 'Flat', summary: null, text: 'one', changed: true, command: null, milliseconds: 0 };

function started() {
  const store = createStore();
  const view = { code: code('a\nb', 2), stages: [{ ...stage, left_out: 1 }] } as unknown as CompileView;
  const plan = toPlan(store.get().draft);
  store.patch({
    compile: {
      phase: 'done',
      result: view,
      shown: { plan, view, drawn: { kind: 'text' }, tensors: [] },
      problem: null,
    },
  });
  return { store, view };
}

describe('showMoreText', () => {
  it('puts the lines that follow behind those that are there', async () => {
    const { store, view } = started();
    const asked: unknown[] = [];
    const more: TextView = { text: 'c', code: code('c', 1), left_out: 1 };
    await showMoreText(store, view.code as CodeView, 'c', (_, id, line) => {
      asked.push([id, line]);
      return Promise.resolve(more);
    });
    expect(asked).toEqual([['c', 2]]);
    const { result, shown } = store.get().compile;
    expect(result?.code).toEqual(code('a\nb\nc', 1));
    expect(shown?.view).toBe(result);
  });

  it('lengthens the text of a stage without code', async () => {
    const { store } = started();
    await showMoreText(store, code('one', 1), 'flat', () => Promise.resolve({ text: 'two', code: null, left_out: 0 }));
    expect(store.get().compile.result?.stages[0]).toMatchObject({ text: 'one\ntwo', left_out: 0 });
  });

  it('drops what comes too late, and tells a failure', async () => {
    const { store, view } = started();
    await showMoreText(store, view.code as CodeView, 'c', () => {
      store.patch({ compile: { phase: 'done', result: null, shown: null, problem: null } });
      return Promise.resolve({ text: 'c', code: code('c', 0), left_out: 0 });
    });
    expect(store.get().compile.result).toBeNull();
    const again = started();
    await showMoreText(again.store, code('one', 1), 'flat', () => Promise.reject(new Error('gone')));
    expect(again.store.get().compile.problem).not.toBeNull();
  });
});
