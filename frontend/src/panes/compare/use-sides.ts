/** Both plans with what the compiler and the checked interpreter say about them. */
import { useMemo } from 'react';
import { compile, trace } from '../../api/client';
import type { CompileView, TraceView } from '../../api/types';
import type { Comparison } from '../../state/plans/comparison';
import { useExternal } from '../../state/external';
import { canonicalJson, toPlan, tracedPlan } from '../../plan/plan';
import type { Draft, PlanDocument } from '../../plan/plan';
import { useSelect, useStore } from '../../state/store';
import { operandsOf } from '../../state/data/example-data';
import { useAnswer } from './use-answer';

export interface Side {
  readonly name: string;
  readonly draft: Draft;
  readonly plan: PlanDocument;
  /** Null until compiled; a view that is not ok has diagnostics. */
  readonly view: CompileView | null;
  readonly trace: TraceView | null;
  /** Why a part is missing, in words, or null. */
  readonly problem: string | null;
}

/** The other plan, then the one on the page. */
export function useSides(comparison: Comparison): readonly [left: Side, right: Side] {
  const draft = useSelect((state) => state.draft);
  const phase = useSelect((state) => state.compile.phase);
  const result = useSelect((state) => state.compile.result);
  const plan = useMemo(() => toPlan(draft), [draft]);
  const otherPlan = useMemo(() => toPlan(comparison.draft), [comparison.draft]);
  const other = useAnswer(canonicalJson(otherPlan), (signal) => compile(otherPlan, signal));
  const view = phase === 'done' ? result : null;
  const ownTrace = useTraced(plan, view, view);
  const otherTrace = useTraced(otherPlan, other.value, view);
  return [
    {
      name: comparison.name,
      draft: comparison.draft,
      plan: otherPlan,
      view: other.value,
      trace: otherTrace.value,
      problem: other.problem ?? problemOf(other.value) ?? otherTrace.problem,
    },
    {
      name: comparison.own,
      draft,
      plan,
      // The last pictures stay while the next compile is under way.
      view: view ?? (phase === 'done' ? null : result),
      trace: ownTrace.value,
      problem: problemOf(view) ?? ownTrace.problem,
    },
  ];
}

/** The run of a plan that compiles, on the data that the person chose, as it is for the plan on the page: `own`. */
function useTraced(plan: PlanDocument, view: CompileView | null, own: CompileView | null) {
  const store = useStore();
  const data = useExternal(store.playback, (state) => state.data);
  const asked = useMemo(
    () => (view?.ok ? { plan: tracedPlan(plan), operands: operandsOf(data, own ?? view, view.tensors) } : null),
    [plan, view, own, data],
  );
  return useAnswer<TraceView>(asked === null ? null : canonicalJson(asked), (signal) => {
    if (asked === null) throw new Error('nothing to trace');
    return trace(asked.plan, asked.operands, signal);
  });
}

function problemOf(view: CompileView | null): string | null {
  if (view === null || view.ok) return null;
  return view.diagnostics.find(({ severity }) => severity === 'error')?.message ?? 'This plan does not compile.';
}
