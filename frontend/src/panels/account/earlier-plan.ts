import { canonicalJson, toPlan } from '../../plan/plan';
import type { Draft, PlanDocument } from '../../plan/plan';

/** All of a plan that its counts depend on. */
const way = ({ schedule, tensors, target }: PlanDocument): string =>
  canonicalJson([schedule ?? [], tensors ?? {}, target ?? null]);

/**
 * The latest plan before `draft` that computes the same in another way, since a plan was `opened`: what was on the page
 * before that is no step on the way to this one.
 */
export function earlierPlan(past: readonly Draft[], draft: Draft, opened: Draft | null): PlanDocument | null {
  if (opened === draft) return null;
  const now = toPlan(draft);
  const since = opened === null ? 0 : Math.max(0, past.lastIndexOf(opened));
  return (
    past
      .slice(since)
      .map(toPlan)
      .findLast((plan) => plan.expression === now.expression && way(plan) !== way(now)) ?? null
  );
}
