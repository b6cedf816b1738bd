/** What opens first: the state in the address, else the short link, else, where neither is there, the default example. */
import { getLink as getLinkRequest, toProblem } from '../../api/client';
import { linkIn } from '../../api/site';
import { isOfDecomposition } from '../../api/types';
import type { DecompositionLinkView, LinkView } from '../../api/types';
import { toPlan } from '../../plan/plan';
import { PlanError, readPlan } from '../../plan/plan-reader';
import type { Store } from '../store';
import { decodeAddress } from './url-codec';

export interface Place {
  readonly pathname: string;
  readonly hash: string;
}

/** Resolves when the store holds what the person asked for; a link that cannot be opened becomes a notice. One to a
 *  decomposition is handed back: it has a page of its own. */
export async function restore(
  store: Store,
  place: Place,
  getLink: (id: string) => Promise<LinkView | DecompositionLinkView> = getLinkRequest,
): Promise<DecompositionLinkView | null> {
  try {
    const address = decodeAddress(place.hash);
    if (address !== null) {
      store.restore(address.draft, { view: address.view, comparison: address.comparison });
      return null;
    }
    const id = linkIn(place);
    if (id === null) return null;
    const link = await getLink(id);
    if (isOfDecomposition(link)) return link;
    const draft = readPlan(link.plan);
    const run = { phase: 'ended', view: link.run, plan: toPlan(draft), problem: null, stored: true } as const;
    store.restore(draft, { link: { id, draft }, ...(link.run ? { run } : {}) });
  } catch (error) {
    const reason =
      error instanceof PlanError ? error.message : `This link could not be opened: ${toProblem(error).detail}`;
    store.patch({ notice: reason });
  }
  return null;
}
