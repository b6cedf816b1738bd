/** One decomposition: asked for, watched sweep by sweep, stopped or cancelled; its address opens it elsewhere. */
import { useEffect, useState } from 'react';
import {
  cancelDecomposition,
  getDecomposition,
  runEventsUrl,
  startDecomposition,
  stopDecomposition,
  toProblem,
} from '../api/client';
import type { HowToStart } from '../api/client';
import type { AlgorithmDocument, DecompositionView, ProgressView, SweepRecord } from '../api/types';
import { joined } from '../viz/decomposition/shares';
import { IN_FOLDER, pageAddress } from '../api/site';

export interface Watched {
  readonly id: string | null;
  readonly state: DecompositionView['state'] | null;
  readonly message: string;
  readonly history: readonly SweepRecord[];
  /** Once it has ended. */
  readonly view: DecompositionView | null;
  /** Why it could not be asked for, or ended without a result. */
  readonly problem: string | null;
  /** Asked to stop: the sweep under way is its last one. */
  readonly stopping: boolean;
}

const NOTHING: Watched = {
  id: null,
  state: null,
  message: '',
  history: [],
  view: null,
  problem: null,
  stopping: false,
};
const ENDS: readonly string[] = ['done', 'failed', 'refused', 'cancelled', 'timeout', 'oom', 'crashed', 'lost'];
const REOPEN_MS = 2000;

export const addressOf = (id: string): string => pageAddress(`?decomposition=${encodeURIComponent(id)}`);

export function useDecomposition(opened: string | null) {
  const [watched, setWatched] = useState<Watched>({ ...NOTHING, id: opened });
  const { id } = watched;
  useEffect(() => (id === null ? undefined : watch(id, setWatched)), [id]);

  /** `resume` is the run from whose end it goes on; its sweeps stay in sight. */
  const run = async (document: AlgorithmDocument, how: HowToStart = {}): Promise<void> => {
    const history = how.resume === undefined ? [] : watched.history;
    setWatched({ ...NOTHING, message: 'Asking for the run …', history });
    try {
      const view = await startDecomposition(document, how);
      setWatched({ ...NOTHING, id: view.id, state: view.state, history });
      window.history.replaceState(null, '', addressOf(view.id));
    } catch (error) {
      setWatched({ ...NOTHING, problem: toProblem(error).detail });
    }
  };
  const ask = async (question: (id: string) => Promise<DecompositionView>): Promise<void> => {
    if (id === null) return;
    try {
      await question(id);
    } catch (error) {
      setWatched((now) => ({ ...now, problem: toProblem(error).detail, stopping: false }));
    }
  };
  const stop = async (): Promise<void> => {
    setWatched((now) => ({ ...now, stopping: true }));
    await ask(stopDecomposition);
  };
  const ended = watched.view !== null;
  const busy = watched.problem === null && !ended && (id !== null || watched.message !== '');
  return {
    watched,
    busy,
    run,
    stop,
    cancel: () => ask(cancelDecomposition),
  };
}

type Change = (change: (now: Watched) => Watched) => void;

/** Returns a function that stops watching. */
function watch(id: string, change: Change): () => void {
  let over = false;
  let source: EventSource | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const finish = async (): Promise<void> => {
    try {
      const view = await getDecomposition(id);
      if (over) return;
      const history = view.result?.history;
      const running = !ENDS.includes(view.state);
      change((now) => ({
        ...now,
        state: view.state,
        history: history ?? now.history,
        view: running ? null : view,
        stopping: running && now.stopping,
        problem: view.problem === null || running ? null : `${view.problem.title}: ${view.problem.detail}`,
      }));
    } catch (error) {
      if (!over) change((now) => ({ ...now, problem: toProblem(error).detail }));
    }
  };
  const open = (): void => {
    source = new EventSource(runEventsUrl(id));
    source.addEventListener('state', (event) => {
      const told = JSON.parse(String(event.data)) as Pick<DecompositionView, 'state'>;
      change((now) => ({ ...now, state: told.state }));
    });
    source.addEventListener('progress', (event) => {
      const told = JSON.parse(String(event.data)) as ProgressView;
      change((now) => ({ ...now, message: told.message }));
    });
    source.addEventListener('sweeps', (event) => {
      const told = JSON.parse(String(event.data)) as { readonly records: readonly SweepRecord[] };
      change((now) => ({ ...now, history: joined(now.history, told.records) }));
    });
    source.addEventListener('end', () => {
      source?.close();
      void finish();
    });
    source.onerror = () => {
      // CLOSED: the browser gave up, as where there is no such run; the service says which.
      if (over || source?.readyState !== EventSource.CLOSED) return;
      void finish();
      timer = setTimeout(open, REOPEN_MS);
    };
  };
  // A folder has the ends of runs, and none that is under way.
  if (IN_FOLDER) void finish();
  else open();
  return () => {
    over = true;
    clearTimeout(timer);
    source?.close();
  };
}
