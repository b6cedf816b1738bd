import { useCallback, useEffect, useState } from 'react';
import { cancelRun, getSearch, runEventsUrl, startSearch, toProblem } from '../../api/client';
import type { RunView, SearchRequest } from '../../api/types';
import { SEARCH_KEY } from '../../state/address/search-address';
import { storeTabText, tabText } from '../../state/kept/browser-storage';
import { readSearch } from '../../viz/tuner/search-log';
import type { Search } from '../../viz/tuner/search-log';

const LOOK_MS = 1500;
const OVER = new Set(['done', 'failed', 'refused', 'cancelled', 'timeout', 'oom', 'crashed', 'lost']);

export interface Searching {
  readonly run: RunView | null;
  readonly search: Search | null;
  readonly problem: string | null;
  readonly busy: boolean;
  readonly start: (request: SearchRequest) => Promise<void>;
  readonly open: (id: string) => void;
  readonly cancel: () => void;
}

/** The search that this browser began or opened last, followed while it goes on; its id is kept under `key`. */
export function useSearch(key: string = SEARCH_KEY): Searching {
  const [id, setId] = useState(() => tabText(key) ?? '');
  const [run, setRun] = useState<RunView | null>(null);
  const [search, setSearch] = useState<Search | null>(null);
  const [problem, setProblem] = useState<string | null>(null);

  const open = useCallback(
    (wanted: string) => {
      storeTabText(key, wanted);
      setProblem(null);
      setId(wanted);
    },
    [key],
  );

  useEffect(() => {
    if (id === '') return;
    let gone = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = async (): Promise<void> => {
      try {
        const view = await getSearch(id);
        if (gone) return;
        setRun(view.run);
        setSearch(readSearch(view.log));
        if (!OVER.has(view.run.state)) return;
        source?.close();
      } catch (error) {
        if (gone) return;
        source?.close();
        storeTabText(key, null);
        setProblem(toProblem(error).detail);
      }
    };
    const soon = (): void => {
      timer ??= setTimeout(() => {
        timer = undefined;
        void look();
      }, LOOK_MS);
    };
    const source = typeof EventSource === 'undefined' ? null : new EventSource(runEventsUrl(id));
    for (const event of ['state', 'progress', 'line']) source?.addEventListener(event, soon);
    source?.addEventListener('end', () => {
      source.close();
      void look();
    });
    void look();
    return () => {
      gone = true;
      clearTimeout(timer);
      source?.close();
    };
  }, [id, key]);

  const start = async (request: SearchRequest): Promise<void> => {
    setProblem(null);
    try {
      const view = await startSearch(request);
      setRun(view.run);
      setSearch(readSearch(view.log));
      open(view.run.id);
    } catch (error) {
      setProblem(toProblem(error).detail);
    }
  };
  const cancel = (): void => {
    cancelRun(id).then(setRun, (error: unknown) => setProblem(toProblem(error).detail));
  };
  return { run, search, problem, busy: run !== null && !OVER.has(run.state), start, open, cancel };
}
