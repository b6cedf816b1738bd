/** Where the page lies: at the root of a service, or in a folder of files that has none. */

/** Whether a build for a folder says that the page answers itself. */
export const IN_FOLDER = document.querySelector('meta[name="heddle-transport"]')?.getAttribute('content') === 'worker';

/** The path of the page itself. */
export const HOME = IN_FOLDER ? window.location.pathname : '/';

/** A path of the page with what stands behind it: a query, a fragment. */
export const pageAddress = (rest: string): string => HOME + rest;

/** The fragment of an address that holds a plan, from what the codec writes. */
export const fragmentOf = (coded: string): string => (IN_FOLDER ? `#plan=${coded}` : `#${coded}`);

/** The same as a whole address, for others. */
export const wholeAddress = (rest: string): string => new URL(pageAddress(rest), window.location.origin).href;

/** The address of a file that lies beside the page. */
export const fileAddress = (path: string): string => (IN_FOLDER ? new URL(path, document.baseURI).href : `/${path}`);
