/** `/embed/<id>?panes=iteration,code&edit=1`: which plan and which panes a frame on another page shows. */

export const EMBED_PANES = ['schedule', 'iteration', 'provenance', 'code', 'result'] as const;
export type EmbedPane = (typeof EMBED_PANES)[number];

export interface EmbedAddress {
  readonly id: string;
  readonly panes: readonly EmbedPane[];
  /** Null follows the system. */
  readonly theme: 'light' | 'dark' | null;
  /** Whether the plan may be changed and run inside the frame. */
  readonly edit: boolean;
}

const DEFAULT_PANES: readonly EmbedPane[] = ['iteration', 'code'];
const EDITABLE_PANES: readonly EmbedPane[] = ['schedule', 'iteration', 'code', 'result'];

/** What a frame's address asks for, or null when it is no address of a frame. Names that are unknown are left out. */
export function embedAddress(pathname: string, search: string): EmbedAddress | null {
  const id = /^\/embed\/([0-9A-Za-z]+)\/?$/.exec(pathname)?.[1];
  if (id === undefined) return null;
  const query = new URLSearchParams(search);
  const asked = (query.get('panes') ?? '').split(',');
  const panes = asked.flatMap((name) => EMBED_PANES.filter((pane) => pane === name));
  const theme = query.get('theme');
  const edit = query.get('edit') === '1';
  return {
    id,
    panes: panes.length > 0 ? [...new Set(panes)] : edit ? EDITABLE_PANES : DEFAULT_PANES,
    theme: theme === 'light' || theme === 'dark' ? theme : null,
    edit,
  };
}

/** The element that shows what is behind a short link inside another page; a decomposition has no `panes`. */
export function embedCode(shortLink: string, panes: readonly EmbedPane[] | null = DEFAULT_PANES): string {
  const url = shortLink.replace('/s/', '/embed/');
  const query = panes === null ? '' : `?panes=${panes.join(',')}`;
  return `<iframe src="${url}${query}" width="100%" height="480" title="Heddle" loading="lazy"></iframe>`;
}
