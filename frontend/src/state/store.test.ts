import { describe, expect, it } from 'vitest';
import type { FixView } from '../api/types';
import { DEFAULT_DRAFT, EMPTY_DRAFT, toPlan } from '../plan/plan';
import { createStore, INITIAL_STATE } from './store';

function storeWithClock() {
  const clock = { now: 0 };
  const store = createStore(
    { ...INITIAL_STATE, draft: { ...EMPTY_DRAFT, expression: 'y(i) = A(i,j) * x(j)' } },
    () => clock.now,
  );
  return { store, clock };
}

describe('the gateway', () => {
  it('changes one part and leaves the others', () => {
    const { store } = storeWithClock();
    store.update({ kind: 'schedule', text: 'split(i, i0, i1, 32)' });
    store.update({ kind: 'expression', text: 'y(i) = A(i,j) * x(j) + z(i)' });
    store.update({ kind: 'format', tensor: 'A', text: 'csr' });
    expect(toPlan(store.get().draft)).toEqual({
      version: 2,
      expression: 'y(i) = A(i,j) * x(j) + z(i)',
      schedule: ['split(i, i0, i1, 32)'],
      tensors: { A: { format: 'csr' } },
    });
  });

  it('keeps the format of a tensor that leaves the expression for a moment', () => {
    const { store } = storeWithClock();
    store.update({ kind: 'format', tensor: 'A', text: 'csr' });
    store.update({ kind: 'expression', text: 'y(i) = ' });
    expect(toPlan(store.get().draft).tensors).toBeUndefined();
    store.update({ kind: 'expression', text: 'y(i) = A(i,j) * x(j)' });
    expect(toPlan(store.get().draft).tensors).toEqual({ A: { format: 'csr' } });
  });

  it('joins quick typing into one step of undo, and separates it by a pause', () => {
    const { store, clock } = storeWithClock();
    for (const text of ['s', 'sp', 'spl']) store.update({ kind: 'schedule', text });
    clock.now = 5000;
    store.update({ kind: 'schedule', text: 'split' });
    store.undo();
    expect(store.get().draft.schedule).toBe('spl');
    store.undo();
    expect(store.get().draft.schedule).toBe('');
    store.redo();
    store.redo();
    expect(store.get().draft.schedule).toBe('split');
    store.redo();
    expect(store.get().draft.schedule).toBe('split');
  });

  it('does not join different tensors, and forgets the future after a new change', () => {
    const { store } = storeWithClock();
    store.update({ kind: 'format', tensor: 'A', text: 'csr' });
    store.update({ kind: 'format', tensor: 'x', text: 'dense' });
    store.undo();
    expect(store.get().draft.tensors).toEqual({ A: { format: 'csr' } });
    store.update({ kind: 'format', tensor: 'A', text: 'csc' });
    store.redo();
    expect(store.get().draft.tensors).toEqual({ A: { format: 'csc' } });
  });

  it('makes no step of undo of a change that changes nothing', () => {
    const { store } = storeWithClock();
    store.update({ kind: 'schedule', text: '' });
    expect(store.get().history.past).toHaveLength(0);
  });

  it('applies a fix to every part that it names, as one step', () => {
    const { store } = storeWithClock();
    const fix: FixView = {
      title: 'Use CSC',
      expression: null,
      schedule: ['reorder(j, i)'],
      formats: { A: 'csc' },
      options: null,
    };
    store.update({ kind: 'fix', fix });
    expect(toPlan(store.get().draft)).toMatchObject({ schedule: ['reorder(j, i)'], tensors: { A: { format: 'csc' } } });
    store.undo();
    expect(toPlan(store.get().draft)).toEqual({ version: 2, expression: 'y(i) = A(i,j) * x(j)' });
  });

  it('turns automatic conversion on by a fix, and off again', () => {
    const { store } = storeWithClock();
    const others = { expression: null, schedule: null, formats: null };
    store.update({ kind: 'fix', fix: { title: 'Convert', ...others, options: { convert: 'automatic' } } });
    expect(toPlan(store.get().draft).options).toEqual({ convert: 'automatic' });
    store.update({ kind: 'convert', convert: 'never' });
    expect(toPlan(store.get().draft).options).toBeUndefined();
  });

  it('leaves out what is default', () => {
    const { store } = storeWithClock();
    store.update({ kind: 'baselines', names: ['mkl'] });
    expect(toPlan(store.get().draft).run).toEqual({ baselines: ['mkl'] });
    store.update({ kind: 'baselines', names: ['scipy', 'mkl'] });
    store.update({ kind: 'threads', threads: 2 });
    expect(toPlan(store.get().draft).run).toEqual({ threads: 2 });
    store.update({ kind: 'dtype', tensor: 'A', dtype: 'float32' });
    store.update({ kind: 'dtype', tensor: 'A', dtype: null });
    expect(toPlan(store.get().draft).tensors).toBeUndefined();
  });

  it('keeps the version of a plan that was opened, until another is asked for', () => {
    const { store } = storeWithClock();
    store.update({ kind: 'open', draft: { ...DEFAULT_DRAFT, version: 1 } });
    store.update({ kind: 'expression', text: 'C(i,k) = A(i,j) * B(j,k)' });
    expect(toPlan(store.get().draft).version).toBe(1);
    store.update({ kind: 'version', version: 2 });
    expect(toPlan(store.get().draft).version).toBe(2);
    store.undo();
    expect(toPlan(store.get().draft).version).toBe(1);
  });

  it('opens a plan as one step that can be undone', () => {
    const { store } = storeWithClock();
    store.update({ kind: 'open', draft: DEFAULT_DRAFT });
    expect(store.get().draft).toEqual(DEFAULT_DRAFT);
    store.undo();
    expect(store.get().draft.schedule).toBe('');
  });
});
