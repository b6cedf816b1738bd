import { beforeEach, describe, expect, it } from 'vitest';
import { DEFAULT_DRAFT } from '../../plan/plan';
import type { Draft } from '../../plan/plan';
import { keptOf, placeOf, readKept, startSession } from './session';
import { createStore } from '../store';

const draft = (expression: string): Draft => ({ ...DEFAULT_DRAFT, expression });
const KEY = 'heddle.session.1';

beforeEach(() => window.sessionStorage.clear());

/** A visit that ends as a reload does. */
function visit(): ReturnType<typeof createStore> {
  const store = createStore();
  startSession(store);
  return store;
}
const leave = (): boolean => window.dispatchEvent(new Event('pagehide'));

describe('the steps of a tab', () => {
  it('are there after a reload of the same plan', () => {
    const first = visit();
    first.update({ kind: 'expression', text: 'y(i) = A(i,j) * x(j) + z(i)' });
    first.update({ kind: 'format', tensor: 'A', text: 'csc' });
    first.undo();
    leave();
    const second = createStore();
    second.restore(draft('y(i) = A(i,j) * x(j) + z(i)'));
    startSession(second);
    second.redo();
    expect(second.get().draft.tensors.A).toEqual({ format: 'csc' });
    second.undo();
    second.undo();
    expect(second.get().draft).toEqual(DEFAULT_DRAFT);
  });

  it('are not mixed into a plan that this tab never had', () => {
    visit().update({ kind: 'expression', text: 'a = b' });
    leave();
    const second = createStore();
    second.restore(draft('c = d'));
    startSession(second);
    expect(second.get().history.past).toEqual([]);
    expect(second.get().draft.expression).toBe('c = d');
  });

  it('are taken up at a plan that was opened before the last one', () => {
    const drafts = [draft('a = b'), draft('c = d'), draft('a = b'), draft('e = f')];
    expect(placeOf(drafts, 3, draft('a = b'))).toBe(2);
    expect(placeOf(drafts, 0, draft('a = b'))).toBe(0);
    expect(placeOf(drafts, 0, draft('x = y'))).toBe(-1);
  });

  it('are bounded, those nearest to the present kept', () => {
    const long = Array.from({ length: 150 }, (_, step) => ({ ...draft(`a = b${step}`), schedule: '#'.repeat(20_000) }));
    const { drafts, at } = keptOf(long, draft('now = here'), long.slice(0, 3));
    expect(JSON.stringify(drafts).length).toBeLessThan(1_100_000);
    expect(drafts[at]?.expression).toBe('now = here');
    expect(drafts[at - 1]?.expression).toBe('a = b149');
  });

  it.each(['', '{}', '[1]', '{"drafts":[{"expression":1}],"at":0}', '{"drafts":[{"expression":"a"}],"at":0}'])(
    'that are broken are none: %s',
    (text) => {
      window.sessionStorage.setItem(KEY, text);
      expect(readKept(text)).toBeNull();
      expect(visit().get().draft).toEqual(DEFAULT_DRAFT);
    },
  );
});
