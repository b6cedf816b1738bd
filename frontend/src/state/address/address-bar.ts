/** Keeps the address bar equal to the state, and opens what a pasted address says. */
import { hasComments } from '../../schedule/schedule-lines';
import { decodeAddress, encodeAddress } from './url-codec';
import { PlanError } from '../../plan/plan-reader';
import type { Store } from '../store';

export function startAddress(store: Store, target: Window = window): () => void {
  const write = (): void => {
    const { draft, view, comparison, link } = store.get();
    // A short link stays in the bar for as long as it says all: the same draft, seen in the same way or not. Disabled
    // commands and notes are no part of the plan behind it.
    const path =
      link !== null && link.draft === draft && comparison === null && !hasComments(draft.schedule)
        ? `/s/${link.id}`
        : `/#${encodeAddress({ draft, view, comparison })}`;
    const current = target.location.pathname + target.location.hash;
    if (current !== path) target.history.replaceState(null, '', path);
  };
  const read = (): void => {
    try {
      const address = decodeAddress(target.location.hash);
      if (address !== null) {
        const { draft, view, comparison } = address;
        store.restore(draft, { view, comparison, link: null, notice: null });
      }
    } catch (error) {
      if (!(error instanceof PlanError)) throw error;
      store.patch({ notice: error.message });
    }
  };
  write();
  const unsubscribe = store.subscribe(write);
  target.addEventListener('hashchange', read);
  return () => {
    unsubscribe();
    target.removeEventListener('hashchange', read);
  };
}
