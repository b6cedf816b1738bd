import { useEffect, useState } from 'react';
import { isAbort, toProblem } from '../../api/client';

export interface Answer<T> {
  /** Null until there is an answer to exactly this question. */
  readonly value: T | null;
  /** Why there is none, in words. */
  readonly problem: string | null;
}

const NOTHING = { value: null, problem: null } as const;

/** What the service says to the question that `key` names; null asks nothing. `ask` is called once for each key. */
export function useAnswer<T>(key: string | null, ask: (signal: AbortSignal) => Promise<T>): Answer<T> {
  const [state, setState] = useState<{ readonly key: string; readonly answer: Answer<T> } | null>(null);
  useEffect(() => {
    if (key === null) return;
    const controller = new AbortController();
    ask(controller.signal).then(
      (value) => setState({ key, answer: { value, problem: null } }),
      (error: unknown) => {
        if (!isAbort(error)) setState({ key, answer: { value: null, problem: toProblem(error).detail } });
      },
    );
    return () => controller.abort();
    // The key says all that the question depends on.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [key]);
  return state !== null && state.key === key ? state.answer : NOTHING;
}
