/** What can go wrong between the page and the service, as types. */
import type { Problem } from './types';

/** The service answered with problem+json (RFC 9457). */
export class ApiError extends Error {
  constructor(readonly problem: Problem) {
    super(problem.detail || problem.title);
    this.name = 'ApiError';
  }
}

/** No answer came: the service is not reachable from here. */
export class OfflineError extends Error {
  constructor() {
    super('The service does not answer. Your work is kept; the page keeps trying.');
    this.name = 'OfflineError';
  }
}

/** The service took longer than the page waits. */
export class TimeoutError extends Error {
  constructor(seconds: number) {
    super(`No answer within ${seconds} seconds. Try a smaller expression or schedule, or try again.`);
    this.name = 'TimeoutError';
  }
}

/** The pause before what could not be answered is asked again. */
export const RETRY_MS = 3000;

const NOT_NOW: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/**
 * Whether the same request may be answered when it is asked again: nothing is wrong with it, but the service is away, busy, or
 * not done in time. It goes on with what it has begun, and remembers it.
 */
export const mayComeLater = (error: unknown): boolean =>
  error instanceof OfflineError ||
  error instanceof TimeoutError ||
  (error instanceof ApiError && NOT_NOW.has(error.problem.status));

export const isAbort = (error: unknown): boolean => error instanceof DOMException && error.name === 'AbortError';

const simple = (title: string, status: number, detail: string): Problem => ({
  type: 'about:blank',
  title,
  status,
  detail,
  instance: null,
});

/** Any error as a problem that can be shown. */
export function toProblem(error: unknown): Problem {
  if (error instanceof ApiError) return error.problem;
  if (error instanceof OfflineError) return simple('Not connected', 0, error.message);
  if (error instanceof TimeoutError) return simple('No answer in time', 0, error.message);
  return simple('The page failed', 0, error instanceof Error ? error.message : String(error));
}

/** The problem of an answer that is not 2xx, whatever its body is. */
export function problemOf(status: number, body: string): Problem {
  const title = status >= 500 ? 'The service failed' : 'The request was refused';
  try {
    const found: unknown = JSON.parse(body);
    if (found !== null && typeof found === 'object' && 'title' in found) {
      return { ...simple(title, status, ''), ...(found as Partial<Problem>) };
    }
  } catch {
    // Not JSON: a proxy or a crash answered; the status is all that is known.
  }
  return simple(title, status, `The service answered with status ${status}.`);
}
