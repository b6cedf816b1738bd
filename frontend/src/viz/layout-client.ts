/** Asks the layout worker; one worker serves all diagrams of the page. */
import {
  computeLayout,
  type Drawings,
  type LayoutAnswer,
  type LayoutKind,
  type LayoutRequest,
  type Layouts,
} from './layout-requests';

/** Variables of a graph whose layout takes a millisecond or two. */
const SMALL = 8;

interface Waiting {
  readonly request: LayoutRequest;
  readonly resolve: (drawings: Drawings<LayoutKind>) => void;
  readonly reject: (error: Error) => void;
}

function createLayoutClient() {
  const waiting = new Map<number, Waiting>();
  let worker: Worker | null = null;
  let next = 0;

  const start = (): Worker => {
    const started = new Worker(new URL('./layout.worker.ts', import.meta.url), { type: 'module' });
    started.onmessage = ({ data }: MessageEvent<LayoutAnswer>) => {
      const request = waiting.get(data.id);
      waiting.delete(data.id);
      if ('error' in data) request?.reject(new Error(data.error));
      else request?.resolve(data.drawings);
    };
    started.onerror = () => {
      // Its file did not come, for one: the next request tries anew, and what waits is computed here.
      worker = null;
      for (const { request, resolve, reject } of waiting.values()) {
        try {
          resolve(computeLayout(request.kind, request.input));
        } catch (error) {
          reject(error instanceof Error ? error : new Error(String(error)));
        }
      }
      waiting.clear();
    };
    return started;
  };

  return <Kind extends LayoutKind>(kind: Kind, input: Layouts[Kind]['input']): Promise<Drawings<Kind>> => {
    // A small graph is drawn here before a worker has started; where there are none (unit tests) the same function runs.
    if (input.variables.length <= SMALL || typeof Worker === 'undefined')
      return Promise.resolve(computeLayout(kind, input));
    worker ??= start();
    const request: LayoutRequest<Kind> = { id: (next += 1), kind, input };
    const answer = new Promise<Drawings<Kind>>((resolve, reject) => {
      waiting.set(request.id, { request, resolve, reject });
    });
    worker.postMessage(request);
    return answer;
  };
}

export const requestLayout = createLayoutClient();
