import { useEffect, useState } from 'react';
import { getAssembly, isAbort, toProblem } from '../../api/client';
import type { AssemblyView, CompileView } from '../../api/types';

export type AssemblyAnswer =
  | { readonly state: 'asked' }
  | { readonly state: 'known'; readonly view: AssemblyView }
  | { readonly state: 'failed'; readonly reason: string };

const ASKED: AssemblyAnswer = { state: 'asked' };

/** The machine code of the plan that is shown. */
export function useAssembly(result: CompileView): AssemblyAnswer {
  const [known, setKnown] = useState<{ readonly hash: string; readonly answer: AssemblyAnswer } | null>(null);
  useEffect(() => {
    const controller = new AbortController();
    const keep = (answer: AssemblyAnswer): void => setKnown({ hash: result.hash, answer });
    getAssembly(result.plan, controller.signal).then(
      (view) => keep({ state: 'known', view }),
      (error: unknown) => {
        if (!isAbort(error)) keep({ state: 'failed', reason: toProblem(error).detail });
      },
    );
    return () => controller.abort();
  }, [result]);
  return known?.hash === result.hash ? known.answer : ASKED;
}
