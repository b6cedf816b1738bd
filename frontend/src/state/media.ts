/** Media queries as React state. */
import { useCallback, useSyncExternalStore } from 'react';
import { usePreferences } from './kept/preferences';

export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const list = window.matchMedia(query);
      list.addEventListener('change', listener);
      return () => list.removeEventListener('change', listener);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => window.matchMedia(query).matches);
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
