import { useSyncExternalStore } from 'react';
import { bootInWords, getBoot, subscribeToBoot } from '../api/transport/boot';

/** How far the compiler in this browser has started; nothing where a service compiles, and once it runs. */
export function BootStatus() {
  const boot = useSyncExternalStore(subscribeToBoot, getBoot);
  const words = bootInWords(boot);
  if (words === '') return null;
  if (boot.phase === 'failed') return <span role="alert">{words}</span>;
  return (
    <span className="muted boot-status">
      {boot.phase === 'loading' && <progress aria-label="Loading the compiler" value={boot.loaded} max={boot.total} />}{' '}
      {words}
    </span>
  );
}
