/** Media queries as React state. */
import { useCallback, useSyncExternalStore } from 'react';
import { usePreferences } from './kept/preferences';

/** What the browser was asked so far: to ask takes it longer than to look. */
const asked = new WeakMap<typeof window.matchMedia, Map<string, MediaQueryList>>();

function listOf(query: string): MediaQueryList {
  const ask = window.matchMedia;
  const lists = asked.get(ask) ?? new Map<string, MediaQueryList>();
  asked.set(ask, lists);
  const list = lists.get(query) ?? ask.call(window, query);
  lists.set(query, list);
  return list;
}

export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const list = listOf(query);
      list.addEventListener('change', listener);
      return () => list.removeEventListener('change', listener);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => listOf(query).matches);
}

export type Layout = 'wide' | 'medium' | 'narrow';

export function useLayout(): Layout {
  const wide = useMedia('(min-width: 1200px)');
  const medium = useMedia('(min-width: 900px)');
  return wide ? 'wide' : medium ? 'medium' : 'narrow';
}

/** Whether the page is dark now, by choice or by the system. */
export function useDark(): boolean {
  const theme = usePreferences((preferences) => preferences.theme);
  const system = useMedia('(prefers-color-scheme: dark)');
  return theme === 'system' ? system : theme === 'dark';
}
