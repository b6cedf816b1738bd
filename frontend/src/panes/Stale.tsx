import type { ReactNode } from 'react';
import { drawnInWords, WITHOUT_ANSWER } from '../state/shown';
import { useSelect } from '../state/store';

/** Marks what is drawn of another plan than the one in the editors, in the same words everywhere; it is never taken away. */
export function Stale({ children }: { readonly children: ReactNode }) {
  const phase = useSelect((state) => state.compile.phase);
  const drawn = useSelect((state) => state.compile.shown?.drawn);
  const failed = phase === 'offline' || phase === 'failed';
  const words = failed ? WITHOUT_ANSWER : drawn === undefined ? null : drawnInWords(drawn);
  const mark =
    words === null ? (phase === 'done' ? undefined : 'pending') : drawn?.kind === 'commands' ? 'part' : 'old';
  return (
    <div className="stale" data-stale={mark}>
      {words !== null && <p className="stale-note">{words}</p>}
      <div className="stale-content">{children}</div>
    </div>
  );
}
