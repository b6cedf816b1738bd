import { useEffect, useMemo, useState } from 'react';
import { getExplanation, isAbort, toProblem } from '../../api/client';
import type { CompileView, ExplanationRequest, ExplanationView } from '../../api/types';
import { canonicalJson } from '../../plan/plan';
import type { PlanDocument } from '../../plan/plan';
import { INPUT, operandsOf, TASK } from '../../state/data/example-data';
import type { ExampleData } from '../../state/data/example-data';
import { usePlayback } from '../../state/use-playback';

export interface ExplanationAnswer {
  /** The latest explanation that came back: of the plan that is shown, or of the one before while it is asked for. */
  readonly view: ExplanationView | null;
  /** The data that `view` was counted on. */
  readonly data: ExampleData;
  readonly reason: string | null;
  readonly loading: boolean;
}

/**
 * Why a plan is fast beside `before` (null: itself without a schedule), asked for once for each plan and choice of data.
 * Threads of a GPU are counted on the very data that the picture of its lanes shows; so the two agree.
 */
export function useExplanation(result: CompileView, before: PlanDocument | null): ExplanationAnswer {
  const data = usePlayback((state) => state.data);
  const asked = useMemo(
    () =>
      canonicalJson({
        plan: result.plan,
        ...(before === null ? {} : { before }),
        // The checks of a task count the plan to the letter.
        ...(data.id === TASK ? { tiles: 'as written' } : {}),
        ...(data.id === INPUT && data.operands(result) !== null && result.launches.length === 0
          ? { data: 'input' }
          : { data: 'operands', operands: operandsOf(data, result) }),
      }),
    [result, before, data],
  );
  const [known, setKnown] = useState<Omit<ExplanationAnswer, 'loading'> & { readonly asked: string }>({
    asked: '',
    view: null,
    data,
    reason: null,
  });
  useEffect(() => {
    const controller = new AbortController();
    getExplanation(JSON.parse(asked) as ExplanationRequest, controller.signal).then(
      (view) => setKnown({ asked, view, data, reason: null }),
      (error: unknown) => {
        if (!isAbort(error)) setKnown({ asked, view: null, data, reason: toProblem(error).detail });
      },
    );
    return () => controller.abort();
  }, [asked, data]);
  return { ...known, loading: known.asked !== asked };
}
