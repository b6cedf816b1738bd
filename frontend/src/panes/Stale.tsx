import type { ReactNode } from 'react';
import { useSelect } from '../state/store';

interface Props {
  /** The content belongs to an earlier plan, since the present one does not get that far. */
  readonly stale: boolean;
  readonly children: ReactNode;
}

/** Marks output that is older than the text in the editors; it is never taken away. */
export function Stale({ stale, children }: Props) {
  const phase = useSelect((state) => state.compile.phase);
  const failed = phase === 'offline' || phase === 'failed';
  const mark = stale || failed ? 'old' : phase === 'done' ? undefined : 'pending';
  return (
    <div className="stale" data-stale={mark}>
      {mark === 'old' && <p className="stale-note">From the last plan that compiled.</p>}
      <div className="stale-content">{children}</div>
    </div>
  );
}
