import { describe, expect, it, vi } from 'vitest';
import type { LinkView } from '../../api/types';
import { ApiError } from '../../api/client';
import { startAddress } from './address-bar';
import { DEFAULT_DRAFT, EMPTY_DRAFT } from '../../plan/plan';
import { restore } from './restore';
import { linkIn, linkRest } from '../../api/site';
import { createStore } from '../store';
import { encodeAddress } from './url-codec';
import { DEFAULT_VIEW } from '../view-state';

const LINK: LinkView = { id: 'Ab12', plan: { expression: 'y(i) = x(i)' }, created: '2026-01-01T00:00:00Z', run: null };
const draft = { ...EMPTY_DRAFT, expression: 'a(i) = b(i)' };
const noLink = () => Promise.reject(new Error('no link was asked for'));

describe('what opens first', () => {
  it('is the state in the address, even on the page of a short link', async () => {
    const store = createStore();
    await restore(store, { pathname: '/s/Ab12', hash: `#${encodeAddress({ draft, view: DEFAULT_VIEW })}` }, noLink);
    expect(store.get()).toMatchObject({ draft, link: null, notice: null });
  });

  it('is else the short link', async () => {
    const store = createStore();
    const getLink = vi.fn(() => Promise.resolve(LINK));
    await restore(store, { pathname: '/s/Ab12', hash: '' }, getLink);
    expect(getLink).toHaveBeenCalledWith('Ab12');
    expect(store.get()).toMatchObject({ draft: { expression: 'y(i) = x(i)' }, link: { id: 'Ab12' } });
    expect(store.get().history.past).toHaveLength(0);
  });

  it('is in a folder the short link of the fragment', () => {
    expect(linkIn({ pathname: '/a/heddle/', hash: '#link=Ab12' }, true)).toBe('Ab12');
    expect(linkIn({ pathname: '/s/Ab12', hash: '' }, true)).toBeNull();
    expect(linkIn({ pathname: '/s/Ab12', hash: '#link=Cd' }, false)).toBe('Ab12');
    expect(linkIn({ pathname: '/', hash: '#link=Ab12' }, false)).toBe('Ab12');
    expect([linkRest('Ab12', true), linkRest('Ab12', false)]).toEqual(['#link=Ab12', 's/Ab12']);
  });

  it('is else the default example', async () => {
    const store = createStore();
    await restore(store, { pathname: '/', hash: '' }, noLink);
    expect(store.get()).toMatchObject({ draft: DEFAULT_DRAFT, notice: null });
  });

  it.each([
    ['/', '#z1.broken', 'This link is broken'],
    ['/s/none', '', 'No such link'],
  ])('is nothing but a notice when %s%s cannot be opened', async (pathname, hash, words) => {
    const store = createStore();
    const problem = { type: 'about:blank', title: 'Not found', status: 404, detail: 'No such link.', instance: null };
    await restore(store, { pathname, hash }, () => Promise.reject(new ApiError(problem)));
    expect(store.get().notice).toContain(words);
    expect(store.get().history.past).toHaveLength(0);
  });
});

describe('the address bar', () => {
  it('holds the state after every change, and a short link for as long as it is true', () => {
    const store = createStore();
    const stop = startAddress(store);
    const fragment = (): string => window.location.hash;
    expect(fragment()).toBe(`#${encodeAddress({ draft: DEFAULT_DRAFT, view: DEFAULT_VIEW })}`);
    store.patch({ link: { id: 'Ab12', draft: store.get().draft } });
    expect(window.location.pathname + fragment()).toBe('/s/Ab12');
    store.update({ kind: 'expression', text: 'a(i) = b(i)' });
    expect(window.location.pathname).toBe('/');
    expect(fragment()).toBe(`#${encodeAddress({ draft: store.get().draft, view: DEFAULT_VIEW })}`);
    store.undo();
    expect(window.location.pathname + fragment()).toBe('/s/Ab12');
    stop();
  });

  it('gives what is opened a step of Back, and edits none', () => {
    const store = createStore();
    const stop = startAddress(store);
    const steps = window.history.length;
    store.update({ kind: 'expression', text: 'a(i) = b(i)' });
    expect(window.history.length).toBe(steps);
    store.update({ kind: 'open', draft: { ...DEFAULT_DRAFT, expression: 'c(i) = d(i)' } });
    expect(window.history.length).toBe(steps + 1);
    stop();
  });

  it('goes back to a plan of this visit with all its steps, and opens another one as a step', () => {
    const store = createStore();
    const stop = startAddress(store);
    store.update({ kind: 'expression', text: 'a(i) = b(i)' });
    const before = window.location.hash;
    store.update({ kind: 'open', draft: { ...DEFAULT_DRAFT, expression: 'c(i) = d(i)' } });
    window.history.replaceState(null, '', before);
    window.dispatchEvent(new PopStateEvent('popstate'));
    expect(store.get().draft.expression).toBe('a(i) = b(i)');
    expect(store.get().history.past).toHaveLength(1);
    expect(store.get().history.future).toHaveLength(1);
    expect(window.location.hash).toBe(before);
    const pasted = `#${encodeAddress({ draft: { ...DEFAULT_DRAFT, expression: 'e(i) = f(i)' }, view: DEFAULT_VIEW })}`;
    window.history.replaceState(null, '', pasted);
    window.dispatchEvent(new Event('hashchange'));
    expect(store.get().draft.expression).toBe('e(i) = f(i)');
    expect(window.location.hash).toBe(pasted);
    store.undo();
    expect(store.get().draft.expression).toBe('a(i) = b(i)');
    stop();
  });
});
