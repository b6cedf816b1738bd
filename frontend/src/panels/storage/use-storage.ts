import { useEffect, useState } from 'react';
import { getStorage, isAbort, OfflineError, toProblem } from '../../api/client';
import type { Problem, StorageRequest, StorageView, StoredTensorView } from '../../api/types';
import { canonicalJson } from '../../plan/plan';

const RETRY_MS = 3000;

export interface StorageAnswer {
  /** The answer to the latest request that came back. */
  readonly view: StorageView | null;
  /** The latest picture of this tensor: that of `view`, or the one before where `view` was refused. */
  readonly stored: StoredTensorView | null;
  readonly problem: Problem | null;
}

const NOTHING: StorageAnswer = { view: null, stored: null, problem: null };

/** Asks the service for the picture whenever the request changes; an answer never overtakes a newer one. */
export function useStorage(request: StorageRequest | null): StorageAnswer & { readonly loading: boolean } {
  const asked = request === null ? '' : canonicalJson(request);
  const [known, setKnown] = useState<{
    readonly asked: string;
    readonly tensor: string;
    readonly answer: StorageAnswer;
  }>({
    asked: '',
    tensor: '',
    answer: NOTHING,
  });
  useEffect(() => {
    if (asked === '') return;
    const controller = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const ask = (): void => {
      const sent = JSON.parse(asked) as StorageRequest;
      getStorage(sent, controller.signal).then(
        (view) =>
          setKnown((last) => {
            const before = last.tensor === sent.tensor ? last.answer.stored : null;
            return { asked, tensor: sent.tensor, answer: { view, stored: view.stored ?? before, problem: null } };
          }),
        (error: unknown) => {
          if (isAbort(error)) return;
          setKnown((last) => ({ ...last, asked, answer: { ...last.answer, problem: toProblem(error) } }));
          if (error instanceof OfflineError) timer = setTimeout(ask, RETRY_MS);
        },
      );
    };
    ask();
    return () => {
      controller.abort();
      clearTimeout(timer);
    };
  }, [asked]);
  return { ...known.answer, loading: known.asked !== asked };
}
