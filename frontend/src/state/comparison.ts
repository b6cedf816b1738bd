/** The plan that this one is compared with: part of the link, and no part of undo. */
import { toPlan, versionInAddress } from './plan';
import type { Draft } from './plan';
import { readPlan } from './plan-reader';
import type { Store } from './store';

export interface Comparison {
  /** The other plan. */
  readonly draft: Draft;
  /** What the person calls the other plan, and the plan on the page. */
  readonly name: string;
  readonly own: string;
}

export const OWN_NAME = 'This plan';
export const OTHER_NAME = 'Other plan';
export const NAME_LIMIT = 40;

/** Opens the comparison of the plan on the page with `draft`. */
export function compareWith(store: Store, draft: Draft, name: string): void {
  const { view, comparison } = store.get();
  // On a phone the comparison comes to the front, not the editors.
  const front = view.front === 'define' ? 'understand' : view.front;
  store.patch({
    comparison: { draft, name: name.slice(0, NAME_LIMIT), own: comparison?.own ?? OWN_NAME },
    view: { ...view, front, maximised: null, present: false },
  });
}

export const endComparison = (store: Store): void => store.patch({ comparison: null });

/** The plan on the page and the other one change places, with their names. */
export function swapPlans(store: Store): void {
  const { draft, comparison } = store.get();
  if (comparison === null) return;
  const { name, own } = comparison;
  store.update({ kind: 'open', draft: comparison.draft });
  store.patch({ comparison: { draft, name: own, own: name } });
}

/** As it stands in an address: the other plan with the names; undefined for none. */
export function comparisonDocument(comparison: Comparison | null): Record<string, unknown> | undefined {
  if (comparison === null) return undefined;
  const { draft, name, own } = comparison;
  return {
    ...toPlan(draft),
    version: versionInAddress(draft),
    name: name === OTHER_NAME ? undefined : name,
    own: own === OWN_NAME ? undefined : own,
  };
}

/** Raises PlanError for a plan that cannot be read. */
export function readComparison(value: unknown): Comparison | null {
  if (value === undefined || value === null) return null;
  const draft = readPlan(value);
  const { name, own } = value as { name?: unknown; own?: unknown };
  return { draft, name: readName(name, OTHER_NAME), own: readName(own, OWN_NAME) };
}

const readName = (value: unknown, instead: string): string =>
  typeof value === 'string' ? value.slice(0, NAME_LIMIT) : instead;
