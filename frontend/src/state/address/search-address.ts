/** Links to searches: `/?search=ID#…` opens the plan that was searched for, with the whole search beside it. */
import type { Draft } from '../../plan/plan';
import { storeTabText } from '../kept/browser-storage';
import type { Store } from '../store';
import { DEFAULT_VIEW } from '../view-state';
import { encodeAddress } from './url-codec';
import { pageAddress } from '../../api/site';

/** Where the page keeps the search that it shows. */
export const SEARCH_KEY = 'heddle-search';

export function searchLink(id: string, draft: Draft, origin: string): string {
  const address = encodeAddress({ draft, view: { ...DEFAULT_VIEW, run: 'tuner', front: 'run' } });
  return origin + pageAddress(`?search=${encodeURIComponent(id)}#${address}`);
}

/** Shows the search that the address names, if it names one. */
export function openSearch(store: Store, query: string, keep: (key: string, id: string) => void = storeTabText): void {
  const id = new URLSearchParams(query).get('search');
  if (id === null || id === '') return;
  keep(SEARCH_KEY, id);
  store.patch({ view: { ...store.get().view, run: 'tuner', front: 'run' } });
}
