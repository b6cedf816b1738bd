import { useEffect, useState } from 'react';
import { getMachines } from '../../../api/client';
import { IN_FOLDER } from '../../../api/site';
import type { WorkerView } from '../../../api/types';
import { useSelect } from '../../../state/store';

const WATCHED_MS = 3000;

/**
 * The workers that are connected; null before the first answer. Workers come and go: they are asked for again with each
 * target and with each step of a run, and every few seconds while somebody `watches` them.
 */
export function useWorkers(watches: boolean): readonly WorkerView[] | null {
  const target = useSelect((state) => state.draft.target);
  const step = useSelect(({ run }) => run.view?.state ?? run.phase);
  const [workers, setWorkers] = useState<readonly WorkerView[] | null>(null);
  useEffect(() => {
    if (IN_FOLDER) return;
    const controller = new AbortController();
    // Without an answer the last one stays; that the service is away is said elsewhere.
    const ask = (): void => void getMachines(controller.signal).then(setWorkers, () => undefined);
    ask();
    const timer = watches ? setInterval(ask, WATCHED_MS) : undefined;
    return () => {
      clearInterval(timer);
      controller.abort();
    };
  }, [target, step, watches]);
  return workers;
}
