/** Begins, ends and turns round the comparison of the plan on the page with another. */
import type { Draft } from '../plan/plan';
import { NAME_LIMIT, OWN_NAME } from './plans/comparison';
import type { Store } from './store';

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
