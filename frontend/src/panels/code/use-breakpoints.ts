import { useMemo } from 'react';
import type { CodeLanguage } from '../../plan/targets';
import { breakpointAt } from '../../state/playback';
import type { SteppedText } from '../../state/playback';
import { useStore } from '../../state/store';
import { usePlayback } from '../../state/use-playback';

/** The text whose lines the steps of a run know: the loops, or the generated code, in whatever language; '' is none. */
export const steppedText = (language: CodeLanguage | ''): SteppedText | null =>
  language === '' ? null : language === 'loops' ? 'loops' : 'c';

interface Breakpoints {
  /** 0-based lines of the text, as a listing has them. */
  readonly lines: ReadonlySet<number>;
  /** Undefined for a text that is not stepped. */
  readonly toggle: ((line: number) => void) | undefined;
}

/** The breakpoints in the text of one language. */
export function useBreakpoints(language: CodeLanguage | ''): Breakpoints {
  const { playback } = useStore();
  const breakpoints = usePlayback((state) => state.breakpoints);
  const text = steppedText(language);
  return useMemo(() => {
    if (text === null) return { lines: new Set<number>(), toggle: undefined };
    const own = [...breakpoints].filter((place) => place.startsWith(`${text}:`));
    return {
      lines: new Set(own.map((place) => Number(place.split(':')[1]) - 1)),
      toggle: (line: number) => playback.toggleBreakpoint(breakpointAt(text, line + 1)),
    };
  }, [playback, breakpoints, text]);
}
