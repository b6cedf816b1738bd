/** What the page and its Python say to each other. */
import type { Boot } from './boot';
import type { Method } from './transport';

/** The first message: where the folder lies, as a whole address that ends in a slash. */
export interface Begin {
  readonly kind: 'begin';
  readonly folder: string;
  /** Its first byte is set where a request is to stop; null where the browser shares no memory between threads. */
  readonly stop: Uint8Array | null;
}

export interface Ask {
  readonly kind: 'ask';
  readonly method: Method;
  readonly path: string;
  readonly body: string | null;
}

export type ToPython = Begin | Ask;

export type FromPython =
  | { readonly kind: 'boot'; readonly boot: Boot }
  | { readonly kind: 'failed'; readonly reason: string }
  /** The request was to stop, and did. */
  | { readonly kind: 'stopped' }
  /** `bytes` is what its Python has of memory by now. */
  | { readonly kind: 'reply'; readonly status: number; readonly text: string; readonly bytes: number };
