import { useEffect, useState } from 'react';
import { isAbort, mayComeLater, RETRY_MS, toProblem } from '../../api/client';
import type { Problem } from '../../api/types';
import { canonicalJson } from '../../plan/plan';

/** The picture of a tensor, or null with the reason. */
interface Picture<Stored> {
  readonly stored: Stored | null;
}

export interface StoredAnswer<View extends Picture<unknown>> {
  /** The answer to the latest request that came back. */
  readonly view: View | null;
  /** The latest picture of this tensor: that of `view`, or the one before where `view` was refused. */
  readonly stored: View['stored'];
  readonly problem: Problem | null;
  readonly loading: boolean;
}

/** Asks the service (`get`) for the picture whenever the request changes; an answer never overtakes a newer one. */
export function useStored<Asked extends { readonly tensor: string }, View extends Picture<unknown>>(
  request: Asked | null,
  get: (asked: Asked, signal: AbortSignal) => Promise<View>,
): StoredAnswer<View> {
  const asked = request === null ? '' : canonicalJson(request);
  const [known, setKnown] = useState<{
    readonly asked: string;
    readonly tensor: string;
    readonly answer: Omit<StoredAnswer<View>, 'loading'>;
  }>({ asked: '', tensor: '', answer: { view: null, stored: null, problem: null } });
  useEffect(() => {
    if (asked === '') return;
    const controller = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const ask = (): void => {
      const sent = JSON.parse(asked) as Asked;
      get(sent, controller.signal).then(
        (view) =>
          setKnown((last) => {
            const before = last.tensor === sent.tensor ? last.answer.stored : null;
            return { asked, tensor: sent.tensor, answer: { view, stored: view.stored ?? before, problem: null } };
          }),
        (error: unknown) => {
          if (isAbort(error)) return;
          setKnown((last) => ({ ...last, asked, answer: { ...last.answer, problem: toProblem(error) } }));
          if (mayComeLater(error)) timer = setTimeout(ask, RETRY_MS);
        },
      );
    };
    ask();
    return () => {
      controller.abort();
      clearTimeout(timer);
    };
  }, [asked, get]);
  return { ...known.answer, loading: known.asked !== asked };
}
