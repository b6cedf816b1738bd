/** Where the page lies: at the root of a service, or in a folder of files that has none. */

/** Whether a build for a folder says that the page answers itself. */
export const IN_FOLDER = document.querySelector('meta[name="heddle-transport"]')?.getAttribute('content') === 'worker';

/** Whether this document of a folder is the one for frames on other pages. */
export const IN_FRAME = document.querySelector('meta[name="heddle-page"]')?.getAttribute('content') === 'embed';

/** The path of the page itself. */
export const HOME = !IN_FOLDER
  ? '/'
  : IN_FRAME
    ? new URL('.', window.location.href).pathname
    : window.location.pathname;

/** A path of the page with what stands behind it: a query, a fragment. */
export const pageAddress = (rest: string): string => HOME + rest;

/** The fragment of an address that holds a plan, from what the codec writes. */
export const fragmentOf = (coded: string): string => (IN_FOLDER ? `#plan=${coded}` : `#${coded}`);

/** What leads to a short link: a path of a service, a fragment of a folder. */
export const linkRest = (id: string, folder = IN_FOLDER): string => (folder ? `#link=${id}` : `s/${id}`);

/** The short link that an address names, or null. A service opens what was copied from a folder as well. */
export function linkIn(place: { readonly pathname: string; readonly hash: string }, folder = IN_FOLDER): string | null {
  const inPath = folder ? null : /^\/(?:s|embed)\/([0-9A-Za-z]+)\/?$/.exec(place.pathname);
  return (inPath ?? /^#link=([0-9A-Za-z]+)$/.exec(place.hash))?.[1] ?? null;
}

/** The same as a whole address, for others. */
export const wholeAddress = (rest: string): string => new URL(pageAddress(rest), window.location.origin).href;

/** The address of a file that lies beside the page. */
export const fileAddress = (path: string): string => (IN_FOLDER ? new URL(path, document.baseURI).href : `/${path}`);
