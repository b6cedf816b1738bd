/**
 * Which plan and which panes a frame on another page shows: `/embed/<id>?panes=iteration,code&edit=1`, and of a folder
 * `embed.html?panes=iteration,code#plan=…` or `embed.html#plan=…&panes=iteration,code`.
 */
import { IN_FOLDER, IN_FRAME, linkIn, linkRest } from '../../api/site';

export const EMBED_PANES = ['schedule', 'iteration', 'provenance', 'code', 'result'] as const;
export type EmbedPane = (typeof EMBED_PANES)[number];

export interface EmbedAddress {
  /** What stands after the page's own address to open the same there. */
  readonly rest: string;
  /** The fragment that holds the plan, or leads to it. */
  readonly hash: string;
  readonly panes: readonly EmbedPane[];
  /** Null follows the system. */
  readonly theme: 'light' | 'dark' | null;
  /** Whether the plan may be changed and run inside the frame. */
  readonly edit: boolean;
}

const DEFAULT_PANES: readonly EmbedPane[] = ['iteration', 'code'];
const EDITABLE_PANES: readonly EmbedPane[] = ['schedule', 'iteration', 'code', 'result'];

/** What a frame's address asks for, or null when it is no address of a frame. Names that are unknown are left out. */
export function embedAddress(place: Place, framed = IN_FRAME): EmbedAddress | null {
  if (!framed && !place.pathname.startsWith('/embed/')) return null;
  const [hash = '', asks] = framed ? splitFragment(place.hash) : [place.hash];
  const id = linkIn({ pathname: place.pathname, hash }, framed);
  if (id === null && !framed) return null;
  const query = new URLSearchParams(asks ?? place.search);
  const asked = (query.get('panes') ?? '').split(',');
  const panes = asked.flatMap((name) => EMBED_PANES.filter((pane) => pane === name));
  const theme = query.get('theme');
  const edit = query.get('edit') === '1';
  return {
    rest: id === null ? hash : linkRest(id, framed),
    hash,
    panes: panes.length > 0 ? [...new Set(panes)] : edit ? EDITABLE_PANES : DEFAULT_PANES,
    theme: theme === 'light' || theme === 'dark' ? theme : null,
    edit,
  };
}

interface Place {
  readonly pathname: string;
  readonly search: string;
  readonly hash: string;
}

/** The plan of a fragment, and what the fragment says of the frame, where it says anything. */
function splitFragment(fragment: string): readonly [string, string?] {
  const at = fragment.search(/&(?:panes|theme)=/);
  return at < 0 ? [fragment] : [fragment.slice(0, at), fragment.slice(at + 1)];
}

/**
 * The element that shows inside another page what is behind an address: a short link of a service, a folder's address with its
 * plan. A decomposition has no `panes`.
 */
export function embedCode(
  address: string,
  panes: readonly EmbedPane[] | null = DEFAULT_PANES,
  folder = IN_FOLDER,
): string {
  const query = panes === null ? '' : `?panes=${panes.join(',')}`;
  const whole = new URL(address);
  const url = folder
    ? new URL(`embed.html${query}${whole.hash}`, new URL('.', whole)).href
    : address.replace('/s/', '/embed/') + query;
  return `<iframe src="${url}" width="100%" height="480" title="Heddle" loading="lazy"></iframe>`;
}
