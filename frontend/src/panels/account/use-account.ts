import { useEffect, useState } from 'react';
import { getAccount, isAbort, toProblem } from '../../api/client';
import type { AccountView, CompileView } from '../../api/types';

export interface AccountAnswer {
  /** The latest account that came back: of the plan that is shown, or of the one before while it is asked for. */
  readonly view: AccountView | null;
  readonly reason: string | null;
  readonly loading: boolean;
}

/** What a plan does on small data, asked for once for each plan that is shown. */
export function useAccount(result: CompileView): AccountAnswer {
  const [known, setKnown] = useState<{
    readonly result: CompileView;
    readonly view: AccountView | null;
    readonly reason: string | null;
  } | null>(null);
  useEffect(() => {
    const controller = new AbortController();
    getAccount(result.plan, controller.signal).then(
      (view) => setKnown({ result, view, reason: null }),
      (error: unknown) => {
        if (!isAbort(error)) setKnown({ result, view: null, reason: toProblem(error).detail });
      },
    );
    return () => controller.abort();
  }, [result]);
  return { view: known?.view ?? null, reason: known?.reason ?? null, loading: known?.result !== result };
}
