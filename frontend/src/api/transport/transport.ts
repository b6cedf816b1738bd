/** How a request of the page is answered: by a service over HTTP, or by the compiler in a worker of this browser. */

export type Method = 'GET' | 'POST' | 'DELETE';

export interface Reply {
  readonly status: number;
  readonly text: string;
}

export interface Transport {
  /**
   * The answer, whatever its status. `path` stands behind `/api/v1`; `body` becomes JSON; `key` is that of a class. Rejects with
   * an AbortError, OfflineError or TimeoutError.
   */
  readonly request: (method: Method, path: string, body: unknown, signal?: AbortSignal, key?: string) => Promise<Reply>;
}

export const replaced = (): DOMException => new DOMException('A newer request replaced this one.', 'AbortError');
