/** The Python of this browser as a function of requests: started when it is first needed, and again after one that hangs. */
import { OfflineError, TimeoutError } from '../problem';
import { fileAddress } from '../site';
import { setBoot } from './boot';
import type { FromPython, ToPython } from './python-messages';
import type { Reply } from './transport';
import type { Work } from './work-queue';

/** For one request, while it is worked on; neither starting nor waiting counts. */
export const TIMEOUT_S = 30;
const UNABLE =
  'This browser cannot run the compiler: it has no WebAssembly or no workers. A current Firefox or Chromium can.';

export interface Python {
  /** Answers one request; called again only when it has settled. Rejects with OfflineError or TimeoutError. */
  readonly answer: (work: Work) => Promise<Reply>;
}

export const createWorker = (): Worker =>
  new Worker(new URL('./python.worker.ts', import.meta.url), { type: 'module' });

export function createPython(create: () => Worker = createWorker, seconds = TIMEOUT_S): Python {
  let worker: Worker | null = null;
  let ready: Promise<void> | null = null;
  let settle: ((message: FromPython) => void) | null = null;

  const end = (): void => {
    worker?.terminate();
    worker = ready = settle = null;
  };

  const start = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const fail = (reason: string): void => {
        end();
        setBoot({ phase: 'failed', reason });
        reject(new OfflineError());
      };
      if (typeof WebAssembly === 'undefined' || typeof Worker === 'undefined') return fail(UNABLE);
      const started = create();
      worker = started;
      setBoot({ phase: 'starting' });
      started.onerror = () => fail('The compiler could not be loaded. Load the page again.');
      started.onmessage = ({ data }: MessageEvent<FromPython>) => {
        switch (data.kind) {
          case 'boot':
            setBoot(data.boot);
            return data.boot.phase === 'ready' ? resolve() : undefined;
          case 'failed':
            if (settle === null) return fail(`The compiler could not be started: ${data.reason}`);
            return settle(data);
          case 'reply':
            return settle?.(data);
        }
      };
      const begin: ToPython = { kind: 'begin', folder: fileAddress('.') };
      started.postMessage(begin);
    });

  return {
    answer: async (work) => {
      ready ??= start();
      await ready;
      return new Promise<Reply>((resolve, reject) => {
        const limit = setTimeout(() => {
          end();
          setBoot({ phase: 'waiting' });
          reject(new TimeoutError(seconds));
        }, seconds * 1000);
        settle = (message) => {
          clearTimeout(limit);
          settle = null;
          if (message.kind === 'reply') return resolve({ status: message.status, text: message.text });
          // Python itself broke, as where memory ran out: the next request starts it anew.
          end();
          setBoot({ phase: 'waiting' });
          reject(new Error(message.kind === 'failed' ? message.reason : 'The compiler started anew.'));
        };
        const ask: ToPython = { kind: 'ask', ...work };
        worker?.postMessage(ask);
      });
    },
  };
}
