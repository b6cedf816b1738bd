import { expect, it, vi } from 'vitest';
import { DEFAULT_DRAFT } from '../../plan/plan';
import { createStore } from '../store';
import { openSearch, SEARCH_KEY, searchLink } from './search-address';
import { decodeAddress } from './url-codec';

it('holds the plan and the search', () => {
  const link = new URL(searchLink('a b', DEFAULT_DRAFT, 'https://heddle.example'));
  expect(link.searchParams.get('search')).toBe('a b');
  const address = decodeAddress(link.hash);
  expect(address?.draft).toEqual(DEFAULT_DRAFT);
  expect(address?.view.run).toBe('tuner');
});

it('opens the search with its tab in front', () => {
  const store = createStore();
  const setItem = vi.fn();
  openSearch(store, '?search=abc', setItem);
  expect(setItem).toHaveBeenCalledWith(SEARCH_KEY, 'abc');
  expect(store.get().view).toMatchObject({ run: 'tuner', front: 'run' });
});

it('leaves the page alone without one', () => {
  const store = createStore();
  const before = store.get().view;
  const setItem = vi.fn();
  openSearch(store, '?course=x', setItem);
  openSearch(store, '?search=', setItem);
  expect(setItem).not.toHaveBeenCalled();
  expect(store.get().view).toBe(before);
});
