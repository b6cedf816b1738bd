/** Keeps the address bar equal to the state, and opens what Back, Forward and a pasted address say. */
import { hasComments } from '../../schedule/schedule-lines';
import { decodeAddress, encodeAddress } from './url-codec';
import { PlanError } from '../../plan/plan-reader';
import type { Draft } from '../../plan/plan';
import { placeOf } from '../kept/session';
import type { Store } from '../store';
import { fragmentOf, IN_FOLDER, linkIn, linkRest, pageAddress } from '../../api/site';

/** What an entry of the browser's history remembers beside its address. */
interface Remembered {
  /** The step of the tour that was shown last while the entry was the present one. */
  readonly tour: number | null;
}

const rememberedIn = (target: Window): Remembered | null => target.history.state as Remembered | null;

export function startAddress(store: Store, target: Window = window): () => void {
  let opened = store.get().opened;
  /** What stood behind the short links of this visit. */
  const linked = new Map<string, Draft>();
  let reading = false;
  const write = (): void => {
    if (reading) return;
    const { draft, view, comparison, link, opened: last, tour } = store.get();
    // A short link stays in the bar for as long as it says all: the same draft, seen in the same way or not. Disabled
    // commands and notes are no part of the plan behind it.
    const short = link !== null && link.draft === draft && comparison === null && !hasComments(draft.schedule);
    const path = short
      ? pageAddress(linkRest(link.id))
      : pageAddress(fragmentOf(encodeAddress({ draft, view, comparison })));
    if (short) linked.set(path, draft);
    const current = target.location.pathname + target.location.hash;
    const remembered: Remembered = { tour };
    if (current === path) {
      if (tour !== (rememberedIn(target)?.tour ?? null)) target.history.replaceState(remembered, '', path);
      return;
    }
    // What was opened in place of the plan gets a step of its own: Back returns to what was there before.
    if (last !== opened) target.history.pushState(remembered, '', path);
    else target.history.replaceState(remembered, '', path);
    opened = last;
  };
  const read = (): void => {
    // The bar is ahead of the page until all of it is taken over.
    reading = true;
    try {
      const address = decodeAddress(target.location.hash);
      const { pathname, hash } = target.location;
      const draft = address?.draft ?? linked.get(IN_FOLDER ? pathname + hash : pathname);
      // In a folder another short link is another fragment, for which a browser loads nothing.
      if (draft === undefined)
        return linkIn(target.location) === null || !IN_FOLDER ? undefined : target.location.reload();
      const { history } = store.get();
      const drafts = [...history.past, store.get().draft, ...history.future];
      const place = placeOf(drafts, history.past.length, draft);
      // What was on the page in this visit is gone back to, with all steps before and after it.
      if (place >= 0) store.goTo(place);
      else store.update({ kind: 'open', draft });
      if (address !== null) store.patch({ view: address.view, comparison: address.comparison, notice: null });
      opened = store.get().opened;
      // A tour that is being taken goes back with its plans: its text is about the plan that is there.
      const tour = rememberedIn(target)?.tour ?? null;
      if (tour !== null && store.get().tour !== null) store.patch({ tour });
    } catch (error) {
      if (!(error instanceof PlanError)) throw error;
      store.patch({ notice: error.message });
    } finally {
      reading = false;
    }
    write();
  };
  write();
  const unsubscribe = store.subscribe(write);
  target.addEventListener('hashchange', read);
  target.addEventListener('popstate', read);
  return () => {
    unsubscribe();
    target.removeEventListener('hashchange', read);
    target.removeEventListener('popstate', read);
  };
}
