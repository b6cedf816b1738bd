/** The Python of this browser as a function of requests: started before it is needed, and again after one that hangs. */
import { OfflineError, TimeoutError } from '../problem';
import { fileAddress } from '../site';
import { setBoot } from './boot';
import type { FromPython, ToPython } from './python-messages';
import type { Reply } from './transport';
import { StoppedError, type Work } from './work-queue';

/** For one request, while it is worked on; neither starting nor waiting counts. */
export const TIMEOUT_S = 30;
const UNABLE =
  'This browser cannot run the compiler: it has no WebAssembly or no workers. A current Firefox or Chromium can.';

/** What Python keeps between answers only grows. After so many of them, or when it has so much, another one takes over. */
export const MOST_ANSWERS = 500;
export const MOST_BYTES = 256 << 20;
/** One that starts for large data is large from the beginning. */
const FEWEST_ANSWERS = 50;

export interface Python {
  /** Starts it before anything is asked; what fails then is told like all that fails at the start. */
  readonly start: () => void;
  /** Answers one request; called again only when it has settled. Rejects with OfflineError or TimeoutError. */
  readonly answer: (work: Work) => Promise<Reply>;
  /** Has what is answered reject with StoppedError, where the browser can do that. */
  readonly stop: () => void;
}

export const createWorker = (): Worker =>
  new Worker(new URL('./python.worker.ts', import.meta.url), { type: 'module' });

/** A worker whose Python is ready. */
interface Running {
  readonly ask: (work: Work, seconds: number) => Promise<Reply>;
  readonly stop: () => void;
  readonly end: () => void;
  /** Whether another one should take over. */
  readonly isSpent: () => boolean;
}

export function createPython(create: () => Worker = createWorker, seconds = TIMEOUT_S): Python {
  let current: Promise<Running> | null = null;
  let successor: Running | null = null;
  let succeeding = false;
  let asked: Running | null = null;

  const drop = (): void => {
    current = null;
    setBoot({ phase: 'waiting' });
  };

  const first = (): Promise<Running> => {
    if (successor !== null) {
      const running = Promise.resolve(successor);
      successor = null;
      setBoot({ phase: 'ready' });
      return running;
    }
    setBoot({ phase: 'starting' });
    return start(create, setBoot).catch((error: unknown) => {
      current = null;
      setBoot({ phase: 'failed', reason: error instanceof Error ? error.message : String(error) });
      throw new OfflineError();
    });
  };

  /** Starts another one beside a spent one, which goes on answering until then. */
  const succeed = (running: Running): void => {
    if (succeeding) return;
    succeeding = true;
    start(create)
      .then(
        (fresh) => {
          running.end();
          successor = fresh;
          current = null;
        },
        () => undefined,
      )
      .finally(() => (succeeding = false));
  };

  return {
    start: () => void (current ??= first()).catch(() => undefined),
    answer: async (work) => {
      if (successor !== null) current = null;
      current ??= first();
      const running = await current;
      asked = running;
      try {
        const reply = await running.ask(work, seconds);
        if (running.isSpent()) succeed(running);
        return reply;
      } catch (error) {
        if (error instanceof StoppedError) throw error;
        // It hangs, or Python itself broke, as where memory ran out: the next request starts it anew.
        running.end();
        drop();
        throw error;
      } finally {
        asked = null;
      }
    },
    stop: () => asked?.stop(),
  };
}

/** What Python takes for Ctrl-C. */
const SIGINT = 2;

/** A byte that a worker sees while it computes: browsers share memory with pages that are isolated alone. */
const sharedFlag = (): Uint8Array | null =>
  globalThis.crossOriginIsolated ? new Uint8Array(new SharedArrayBuffer(1)) : null;

/** Rejects with an error whose message is for a person. */
function start(create: () => Worker, tell: typeof setBoot = () => undefined): Promise<Running> {
  return new Promise((resolve, reject) => {
    const fail = (reason: string): void => reject(new Error(reason));
    if (typeof WebAssembly === 'undefined' || typeof Worker === 'undefined') return fail(UNABLE);
    const worker = create();
    const flag = sharedFlag();
    let settle: ((message: FromPython) => void) | null = null;
    let answers = 0;
    let bytes = 0;
    const running: Running = {
      ask: (work, seconds) =>
        new Promise<Reply>((answered, broken) => {
          const limit = setTimeout(() => broken(new TimeoutError(seconds)), seconds * 1000);
          settle = (message) => {
            clearTimeout(limit);
            settle = null;
            if (message.kind === 'stopped') return broken(new StoppedError());
            if (message.kind !== 'reply')
              return broken(new Error(message.kind === 'failed' ? message.reason : 'The compiler started anew.'));
            answers += 1;
            bytes = message.bytes;
            answered({ status: message.status, text: message.text });
          };
          const ask: ToPython = { kind: 'ask', ...work };
          worker.postMessage(ask);
        }),
      stop: () => {
        if (flag !== null) Atomics.store(flag, 0, SIGINT);
      },
      end: () => worker.terminate(),
      isSpent: () => answers >= MOST_ANSWERS || (bytes > MOST_BYTES && answers >= FEWEST_ANSWERS),
    };
    worker.onerror = () => {
      worker.terminate();
      fail('The compiler could not be loaded. Load the page again.');
    };
    worker.onmessage = ({ data }: MessageEvent<FromPython>) => {
      switch (data.kind) {
        case 'boot':
          tell(data.boot);
          return data.boot.phase === 'ready' ? resolve(running) : undefined;
        case 'failed':
          if (settle !== null) return settle(data);
          worker.terminate();
          return fail(`The compiler could not be started: ${data.reason}`);
        case 'stopped':
        case 'reply':
          return settle?.(data);
      }
    };
    const begin: ToPython = { kind: 'begin', folder: fileAddress('.'), stop: flag };
    worker.postMessage(begin);
  });
}
