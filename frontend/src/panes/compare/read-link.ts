/** The plan behind a pasted link: the long address that holds it, or a short link of this server. */
import { getLink as getLinkRequest, toProblem } from '../../api/client';
import { isOfDecomposition } from '../../api/types';
import type { DecompositionLinkView, LinkView } from '../../api/types';
import type { Draft } from '../../plan/plan';
import { PlanError, readPlan } from '../../plan/plan-reader';
import { decodeAddress } from '../../state/address/url-codec';

/** Raises PlanError with words for what is not a link to a plan. */
export async function readLink(
  text: string,
  getLink: (id: string) => Promise<LinkView | DecompositionLinkView> = getLinkRequest,
): Promise<Draft> {
  const address = decodeAddress(text.slice(Math.max(0, text.indexOf('#'))).trim());
  if (address !== null) return address.draft;
  const id = /(?:#link=|\/(?:s|embed)\/)([0-9A-Za-z]+)\/?(?:[?#].*)?$/.exec(text.trim())?.[1];
  if (id === undefined)
    throw new PlanError('This is not a link to a plan. Copy one from Share or from the address bar.');
  try {
    const link = await getLink(id);
    if (isOfDecomposition(link))
      throw new PlanError('This is a link to a decomposition. Paste one to a plan, such as one of its kernels.');
    return readPlan(link.plan);
  } catch (error) {
    if (error instanceof PlanError) throw error;
    throw new PlanError(`This link could not be opened: ${toProblem(error).detail}`);
  }
}
