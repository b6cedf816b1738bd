/** Requests that wait for the one Python of this browser: it answers one at a time, the most urgent first. */
import { replaced, type Method, type Reply } from './transport';

export interface Work {
  readonly method: Method;
  readonly path: string;
  readonly body: string | null;
}

/** The answer of a request that was to stop before it ended. */
export class StoppedError extends Error {}

interface Waiting {
  readonly work: Work;
  readonly signal: AbortSignal | undefined;
  readonly resolve: (reply: Reply) => void;
  readonly reject: (error: unknown) => void;
}

/** What a person waits for in front of the editor comes first, what may come next and what explains it last. */
const URGENT: readonly string[] = ['/compile', '/what-if', '/imports', '/exports'];
const LATER: readonly string[] = ['/legal', '/account', '/explanations', '/suggest'];

const RANKS = ['urgent', 'usual', 'later'] as const;

function rankOf({ path }: Work): (typeof RANKS)[number] {
  const [place = path] = path.split('?');
  if (URGENT.includes(place)) return 'urgent';
  return LATER.includes(place) ? 'later' : 'usual';
}

const rank = (item: Waiting): number => RANKS.indexOf(rankOf(item.work));

export interface WorkQueue {
  readonly add: (work: Work, signal?: AbortSignal) => Promise<Reply>;
}

/**
 * `answer` is called with one request at a time, and again only when it has settled. `stop` asks it to reject with a
 * StoppedError, which it may: nobody waits for that answer any more, or somebody waits for one that is more urgent.
 */
export function createWorkQueue(answer: (work: Work) => Promise<Reply>, stop: () => void = () => undefined): WorkQueue {
  let waiting: readonly Waiting[] = [];
  let running: Waiting | null = null;

  const settle = (item: Waiting, error: unknown): void => {
    if (error instanceof StoppedError && item.signal?.aborted !== true) waiting = [...waiting, item];
    else item.reject(error);
  };

  const next = (): void => {
    if (running !== null) {
      if (rankOf(running.work) === 'later' && waiting.some(({ work }) => rankOf(work) === 'urgent')) stop();
      return;
    }
    const [first] = [...waiting].sort((left, right) => rank(left) - rank(right));
    if (first === undefined) return;
    waiting = waiting.filter((other) => other !== first);
    running = first;
    void answer(first.work)
      .then(first.resolve, (error: unknown) => settle(first, error))
      .finally(() => {
        running = null;
        next();
      });
  };

  return {
    add: (work, signal) =>
      new Promise<Reply>((resolve, reject) => {
        if (signal?.aborted) return reject(replaced());
        const item: Waiting = { work, signal, resolve, reject };
        signal?.addEventListener('abort', () => {
          if (running === item) stop();
          waiting = waiting.filter((other) => other !== item);
          reject(replaced());
        });
        waiting = [...waiting, item];
        next();
      }),
  };
}
