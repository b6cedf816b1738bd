/** Until there is something to show: a page that fills up piece by piece moves under the eyes. */
import { catalogArrived } from '../catalog';
import type { External } from '../external';
import type { Store } from '../store';

/** Who waits longer than this sees the page as far as it is. */
export const LONGEST_MS = 1500;

/** Resolves when the catalogue and the first compile have been answered, or refused, or take long. */
export async function firstView(store: Store, arrived: External<boolean> = catalogArrived): Promise<void> {
  await new Promise<void>((resolve) => {
    const answered = (): boolean => {
      const { phase } = store.get().compile;
      return phase === 'failed' || phase === 'offline' || (phase === 'done' && arrived.get());
    };
    const look = (): void => {
      if (answered()) end();
    };
    const stop = [store.subscribe(look), arrived.subscribe(look)];
    const timer = setTimeout(end, LONGEST_MS);
    function end(): void {
      clearTimeout(timer);
      stop.forEach((unsubscribe) => unsubscribe());
      resolve();
    }
    look();
  });
}
