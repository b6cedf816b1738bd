/** Servers that ask for a code before runs, uploads and links: who asks the person, and what must wait for it. */
import type { Problem } from './types';

const NEEDS_CODE = 'urn:heddle:problem:needs-code';

/** Resolves to whether a code was accepted. */
type Ask = () => Promise<boolean>;

let ask: Ask | null = null;
let asking: Promise<boolean> | null = null;

/** The page's dialog registers itself here; without one, a refusal is shown like any other. */
export function askForCodesWith(next: Ask | null): void {
  ask = next;
}

/** Whether to send a refused request again: it lacked a code, and now one was entered. Requests at once ask once. */
export function codeEntered(problem: Problem): Promise<boolean> {
  if (problem.type !== NEEDS_CODE || ask === null) return Promise.resolve(false);
  asking ??= ask().finally(() => (asking = null));
  return asking;
}
