/** The name of a plan: that of the example that it is, or comes from. */
import { canonicalJson, toPlan } from './plan';
import type { Draft } from './plan';
import { readPlan } from './plan-reader';

interface Example {
  readonly title: string;
  readonly plan: unknown;
}

/** The ending of the name of an example that was changed; it is seen where the name itself is cut. */
export const EDITED_ENDING = ' (edited)';

const textOf = (draft: Draft): string => canonicalJson(toPlan(draft));

/** The titles of the examples, by the texts of their plans. */
export const titlesOf = (examples: readonly Example[]): ReadonlyMap<string, string> =>
  new Map(examples.map(({ plan, title }) => [textOf(readPlan(plan)), title]));

/** The example that the plan is, or was before it was edited; null where it comes from elsewhere. */
export function titleOf(draft: Draft, past: readonly Draft[], titles: ReadonlyMap<string, string>): string | null {
  const now = titles.get(textOf(draft));
  if (now !== undefined) return now;
  const from = past.findLast((earlier) => titles.has(textOf(earlier)));
  // Another expression is another program.
  if (from?.expression !== draft.expression) return null;
  return (titles.get(textOf(from)) ?? '') + EDITED_ENDING;
}
