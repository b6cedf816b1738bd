import { useEffect, useState } from 'react';
import { getClass } from '../../api/classrooms';
import { isAbort, toProblem } from '../../api/client';
import type { ClassroomView, Problem } from '../../api/types';
import type { OwnClass } from '../../state/lessons/classrooms';

const EVERY_MILLISECONDS = 1000;

export interface Followed {
  readonly view: ClassroomView | null;
  readonly problem: Problem | null;
}

/** The class as it is now: asked for each second, which costs nothing while nothing happens in it. */
export function useClass({ code, key }: OwnClass): Followed {
  const [followed, setFollowed] = useState<Followed>({ view: null, problem: null });
  useEffect(() => {
    const abort = new AbortController();
    let known: number | null = null;
    let timer = 0;
    const ask = async (): Promise<void> => {
      try {
        const view = document.hidden ? null : await getClass(code, key, known, abort.signal);
        if (view !== null) {
          known = view.revision;
          setFollowed({ view, problem: null });
        }
      } catch (error) {
        if (isAbort(error)) return;
        const problem = toProblem(error);
        setFollowed((before) => ({ ...before, problem }));
      }
      if (!abort.signal.aborted) timer = window.setTimeout(() => void ask(), EVERY_MILLISECONDS);
    };
    void ask();
    return () => {
      abort.abort();
      window.clearTimeout(timer);
    };
  }, [code, key]);
  return followed;
}
