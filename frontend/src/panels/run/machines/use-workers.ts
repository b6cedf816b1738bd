import { useEffect, useRef, useState } from 'react';
import { getMachines } from '../../../api/client';
import { IN_FOLDER } from '../../../api/site';
import type { WorkerView } from '../../../api/types';
import { catalog, useCatalog } from '../../../state/catalog';
import { useSelect } from '../../../state/store';

const WATCHED_MS = 3000;

/**
 * The workers that are connected; null before the first answer. Workers come and go: they are asked for again with each
 * target and with each step of a run, and every few seconds while somebody `watches` them.
 */
export function useWorkers(watches: boolean): readonly WorkerView[] | null {
  const target = useSelect((state) => state.draft.target);
  const step = useSelect(({ run }) => run.view?.state ?? run.phase);
  const first = useCatalog((catalog) => (catalog.machine === null ? null : catalog.machines));
  const [latest, setLatest] = useState<readonly WorkerView[] | null>(null);
  // The page opens with those of the catalogue.
  const opened = useRef(false);
  useEffect(() => {
    if (IN_FOLDER) return;
    if (!opened.current && catalog.get().machine !== null && !watches) {
      opened.current = true;
      return;
    }
    opened.current = true;
    const controller = new AbortController();
    // Without an answer the last one stays; that the service is away is said elsewhere.
    const ask = (): void => void getMachines(controller.signal).then(setLatest, () => undefined);
    ask();
    const timer = watches ? setInterval(ask, WATCHED_MS) : undefined;
    return () => {
      clearInterval(timer);
      controller.abort();
    };
  }, [target, step, watches]);
  return IN_FOLDER ? null : (latest ?? first);
}
