/** Requests answered in this browser: from files of the folder where they never change, else by its Python. */
import { isAbort, OfflineError } from '../problem';
import { getBoot } from './boot';
import { createPython, type Python } from './python';
import { storedAnswer } from './stored-answers';
import { replaced, type Transport } from './transport';
import { createWorkQueue } from './work-queue';

export function createFolder(python: Python = createPython()): Transport {
  const queue = createWorkQueue(python.answer, python.stop);
  return {
    request: async (method, path, body, signal) => {
      // Once the compiler runs it answers itself: what is stored of its answers is there to be read until then.
      const ask = method === 'GET' || getBoot().phase !== 'ready';
      const stored = ask ? await storedAnswer(method, path, body, signal).catch(asOffline) : null;
      if (signal?.aborted) throw replaced();
      if (stored !== null) {
        // Whoever reads a plan edits it next, and what has started is kept for a visit without a network.
        if (method === 'POST') whenIdle(python.start);
        return stored;
      }
      return queue.add({ method, path, body: body === undefined ? null : JSON.stringify(body) }, signal);
    },
  };
}

/** Once the page has drawn what it has; Safari does not say when. */
const whenIdle = (task: () => void): void => {
  if (typeof requestIdleCallback === 'function') requestIdleCallback(task, { timeout: 2000 });
  else setTimeout(task, 200);
};

function asOffline(error: unknown): never {
  if (isAbort(error)) throw replaced();
  throw error instanceof TypeError ? new OfflineError() : error;
}
