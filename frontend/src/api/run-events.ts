/** Watches one run by server-sent events; EventSource resumes on its own after a cut (Last-Event-ID). */
import { getRun, runEventsUrl } from './client';
import type { ProgressView, RunView } from './types';

/** What a `state` event says; the rest of the run does not change while it goes on. */
export type StateEvent = Pick<RunView, 'state' | 'queue_position' | 'started' | 'finished' | 'problem'> &
  Partial<Pick<RunView, 'expected_wait_seconds' | 'lack'>>;

export interface RunWatcher {
  readonly onState: (state: StateEvent) => void;
  readonly onProgress: (progress: ProgressView) => void;
  /** The stream is cut and is being opened again. */
  readonly onCut: () => void;
  /** The run has ended; `view` holds its result or its problem. */
  readonly onEnd: (view: RunView) => void;
}

const REOPEN_MS = 2000;

/** Returns a function that stops watching. */
export function watchRun(id: string, watcher: RunWatcher): () => void {
  let source: EventSource | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let stopped = false;

  // A connection that is gone does not always end a stream; the browser knows.
  const cut = (): void => watcher.onCut();
  window.addEventListener('offline', cut);

  const stop = (): void => {
    stopped = true;
    window.removeEventListener('offline', cut);
    clearTimeout(timer);
    source?.close();
  };
  const finish = async (): Promise<void> => {
    try {
      const view = await getRun(id);
      if (stopped) return;
      stop();
      watcher.onEnd(view);
    } catch {
      if (stopped) return;
      watcher.onCut();
      timer = setTimeout(() => void finish(), REOPEN_MS);
    }
  };
  const open = (): void => {
    source = new EventSource(runEventsUrl(id));
    source.addEventListener('state', (event) => watcher.onState(JSON.parse(String(event.data)) as StateEvent));
    source.addEventListener('progress', (event) => watcher.onProgress(JSON.parse(String(event.data)) as ProgressView));
    source.addEventListener('end', () => {
      source?.close();
      void finish();
    });
    source.onerror = () => {
      if (stopped) return;
      watcher.onCut();
      // CLOSED means that the browser gave up (the service restarted): open again.
      if (source?.readyState === EventSource.CLOSED) timer = setTimeout(open, REOPEN_MS);
    };
  };
  open();
  return stop;
}
