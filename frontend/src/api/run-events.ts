/** Watches one run by server-sent events; EventSource resumes by itself after a cut (Last-Event-ID). */
import { getRun, runEventsUrl } from './client';
import type { ProgressView, RunView } from './types';

export interface RunWatcher {
  readonly onView: (view: RunView) => void;
  readonly onProgress: (progress: ProgressView) => void;
  /** The stream is cut and is being opened again. */
  readonly onCut: () => void;
  readonly onEnd: () => void;
}

const REOPEN_MS = 2000;

/** Returns a function that stops watching. */
export function watchRun(id: string, watcher: RunWatcher): () => void {
  let source: EventSource | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let stopped = false;

  const refresh = async (): Promise<void> => {
    const view = await getRun(id);
    if (!stopped) watcher.onView(view);
  };
  const stop = (): void => {
    stopped = true;
    clearTimeout(timer);
    source?.close();
  };
  const open = (): void => {
    source = new EventSource(runEventsUrl(id));
    const stateChanged = (): void => void refresh().catch(() => watcher.onCut());
    source.addEventListener('state', stateChanged);
    source.addEventListener('result', stateChanged);
    source.addEventListener('progress', (event) => {
      watcher.onProgress(JSON.parse(String(event.data)) as ProgressView);
    });
    source.addEventListener('end', () => {
      source?.close();
      void finish();
    });
    source.onerror = () => {
      if (stopped) return;
      watcher.onCut();
      // CLOSED means that the browser gave up (the service restarted): open anew.
      if (source?.readyState === EventSource.CLOSED) timer = setTimeout(open, REOPEN_MS);
    };
  };
  const finish = async (): Promise<void> => {
    try {
      await refresh();
    } catch {
      if (!stopped) timer = setTimeout(() => void finish(), REOPEN_MS);
      return;
    }
    if (stopped) return;
    stop();
    watcher.onEnd();
  };

  open();
  return stop;
}
