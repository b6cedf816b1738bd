/** What belongs to this person's browser and not to the state of a link: the theme, the sizes of the panes, their tabs. */
import { storedText, storeText } from './browser-storage';
import { createExternal, useExternal } from '../external';

export type Theme = 'system' | 'light' | 'dark';

/** Shares of the page in percent: Define and Understand of its width, Run of its height. */
export interface Sizes {
  readonly define: number;
  readonly understand: number;
  readonly run: number;
}

export interface Preferences {
  readonly theme: Theme;
  readonly sizes: Sizes;
  /** Whether the tour was taken or declined: it offers itself once. */
  readonly toured: boolean;
  /** Tabs that stood behind *More* until they were opened. */
  readonly tabs: readonly string[];
}

export const DEFAULT_SIZES: Sizes = { define: 23, understand: 42, run: 36 };
const KEY = 'heddle.preferences.1';
const THEMES: readonly Theme[] = ['system', 'light', 'dark'];

export function readPreferences(text: string | null): Preferences {
  const fallback: Preferences = { theme: 'system', sizes: DEFAULT_SIZES, toured: false, tabs: [] };
  if (text === null) return fallback;
  try {
    const found = JSON.parse(text) as Partial<Record<keyof Preferences, unknown>>;
    const sizes = (found.sizes ?? {}) as Partial<Record<keyof Sizes, unknown>>;
    const size = (name: keyof Sizes): number => {
      const value = sizes[name];
      return typeof value === 'number' && value >= 10 && value <= 80 ? value : DEFAULT_SIZES[name];
    };
    return {
      theme: THEMES.find((theme) => theme === found.theme) ?? 'system',
      sizes: { define: size('define'), understand: size('understand'), run: size('run') },
      toured: found.toured === true,
      tabs: Array.isArray(found.tabs) ? found.tabs.filter((tab) => typeof tab === 'string') : [],
    };
  } catch {
    return fallback;
  }
}

const preferences = createExternal<Preferences>(readPreferences(null));

export function loadPreferences(): void {
  preferences.set(readPreferences(storedText(KEY)));
  showTheme();
}

function change(part: Partial<Preferences>): void {
  preferences.set({ ...preferences.get(), ...part });
  storeText(KEY, JSON.stringify(preferences.get()));
  showTheme();
}

function showTheme(): void {
  const { theme } = preferences.get();
  if (theme === 'system') document.documentElement.removeAttribute('data-theme');
  else document.documentElement.setAttribute('data-theme', theme);
}

export const isToured = (): boolean => preferences.get().toured;
export const setToured = (): void => change({ toured: true });
export function keepTab(id: string): void {
  const { tabs } = preferences.get();
  if (!tabs.includes(id)) change({ tabs: [...tabs, id] });
}
export const setTheme = (theme: Theme): void => change({ theme });
export const setSizes = (sizes: Partial<Sizes>): void => change({ sizes: { ...preferences.get().sizes, ...sizes } });

export function usePreferences<Part>(select: (preferences: Preferences) => Part): Part {
  return useExternal(preferences, select);
}
