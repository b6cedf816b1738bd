/** What the document in the form will do, asked of the service as the person types: after a pause, and in order. */
import { useEffect, useState } from 'react';
import { compileAlgorithm, isAbort, toProblem } from '../api/client';
import type { AlgorithmDocument, AlgorithmView } from '../api/types';

const PAUSE_MS = 400;

export interface Prediction {
  /** The last answer, of an older document while `waiting`. */
  readonly view: AlgorithmView | null;
  /** Why there is none. */
  readonly problem: string | null;
  readonly waiting: boolean;
}

interface Answered {
  readonly to: string;
  readonly view: AlgorithmView | null;
  readonly problem: string | null;
}

/** `document` is null where the form does not say one. */
export function usePrediction(document: AlgorithmDocument | null): Prediction {
  const asked = document === null ? '' : JSON.stringify(document);
  const [answered, setAnswered] = useState<Answered>({ to: '', view: null, problem: null });
  useEffect(() => {
    if (asked === '') return undefined;
    const controller = new AbortController();
    const ask = async (): Promise<void> => {
      try {
        const view = await compileAlgorithm(JSON.parse(asked) as AlgorithmDocument, controller.signal);
        setAnswered({ to: asked, view, problem: null });
      } catch (error) {
        if (isAbort(error) || controller.signal.aborted) return;
        setAnswered({ to: asked, view: null, problem: toProblem(error).detail });
      }
    };
    const timer = setTimeout(() => void ask(), PAUSE_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [asked]);
  return { view: answered.view, problem: answered.problem, waiting: answered.to !== asked };
}
