/** Requests that wait for the one Python of this browser: it answers one at a time, the most urgent first. */
import { replaced, type Method, type Reply } from './transport';

export interface Work {
  readonly method: Method;
  readonly path: string;
  readonly body: string | null;
}

interface Waiting {
  readonly work: Work;
  readonly resolve: (reply: Reply) => void;
  readonly reject: (error: unknown) => void;
}

/** What a person waits for in front of the editor comes first, what may come next and what explains it last. */
const URGENT: readonly string[] = ['/compile', '/what-if', '/imports', '/exports'];
const LATER: readonly string[] = ['/legal', '/account', '/explanations', '/suggest'];

function rank({ path }: Work): number {
  const [place = path] = path.split('?');
  if (URGENT.includes(place)) return 0;
  return LATER.includes(place) ? 2 : 1;
}

export interface WorkQueue {
  readonly add: (work: Work, signal?: AbortSignal) => Promise<Reply>;
}

/** `answer` is called with one request at a time, and again only when it has settled. */
export function createWorkQueue(answer: (work: Work) => Promise<Reply>): WorkQueue {
  let waiting: readonly Waiting[] = [];
  let busy = false;

  const next = (): void => {
    if (busy) return;
    const [first] = [...waiting].sort((left, right) => rank(left.work) - rank(right.work));
    if (first === undefined) return;
    waiting = waiting.filter((other) => other !== first);
    busy = true;
    void answer(first.work)
      .then(first.resolve, first.reject)
      .finally(() => {
        busy = false;
        next();
      });
  };

  return {
    add: (work, signal) =>
      new Promise<Reply>((resolve, reject) => {
        if (signal?.aborted) return reject(replaced());
        const item: Waiting = { work, resolve, reject };
        signal?.addEventListener('abort', () => {
          waiting = waiting.filter((other) => other !== item);
          reject(replaced());
        });
        waiting = [...waiting, item];
        next();
      }),
  };
}
