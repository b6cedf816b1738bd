import { useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import { drawnInWords, WITHOUT_ANSWER } from '../state/shown';
import type { Shown } from '../state/shown';
import { useSelect } from '../state/store';

/** Most answers come before this many ms: to mark what waits for them would draw the panels twice more for every key. */
export const LATE_MS = 400;

interface Props {
  /** What the children draw: until they draw the latest answer, they are marked as they are until it comes. */
  readonly of: Shown;
  readonly children: ReactNode;
}

/** Marks what is drawn of another plan than the one in the editors, in the same words everywhere; it is never taken away. */
export function Stale({ of, children }: Props) {
  const phase = useSelect((state) => state.compile.phase);
  const behind = useSelect((state) => state.compile.shown !== of);
  const { drawn } = of;
  const failed = phase === 'offline' || phase === 'failed';
  const words = failed ? WITHOUT_ANSWER : drawnInWords(drawn);
  const late = useLate(phase !== 'done' || behind);
  const mark = words === null ? (late ? 'pending' : undefined) : drawn.kind === 'commands' ? 'part' : 'old';
  return (
    <div className="stale" data-stale={mark}>
      {words !== null && <p className="stale-note">{words}</p>}
      <div className="stale-content">{children}</div>
    </div>
  );
}

function useLate(waits: boolean): boolean {
  const [late, setLate] = useState(false);
  useEffect(() => {
    if (!waits) return;
    const timer = setTimeout(() => setLate(true), LATE_MS);
    return () => {
      clearTimeout(timer);
      setLate(false);
    };
  }, [waits]);
  return waits && late;
}
