/** Keeps a folder of files in this browser, so that a later visit needs no network. */
import { fileAddress, IN_FOLDER } from './site';
import { getBoot, subscribeToBoot } from './transport/boot';

/** Once the compiler runs: what the page itself waits for is fetched first, and lies in the browser's cache by then. */
export function keepFolder(): void {
  if (!IN_FOLDER || !('serviceWorker' in navigator)) return;
  const stop = subscribeToBoot(() => {
    if (getBoot().phase !== 'ready') return;
    stop();
    // Without it the folder works all the same, and is fetched again at the next visit.
    navigator.serviceWorker.register(fileAddress('sw.js')).catch(() => undefined);
  });
}
