import type { ReactNode } from 'react';
import type { FixView } from '../../api/types';
import { RefusedCandidate } from '../../components/candidates/RefusedCandidate';
import type { Cause } from '../../components/candidates/causes';

interface Props {
  readonly causes: readonly Cause[];
  readonly onInsert: (command: string) => void;
  readonly onFix: (fix: FixView) => void;
  /** What asks for more of them. */
  readonly children: ReactNode;
}

/** What cannot be applied here, grouped by why. */
export function Causes({ causes, onInsert, onFix, children }: Props) {
  if (causes.length === 0) return null;
  return (
    <details className="next-group next-causes">
      <summary>
        <span>What cannot be applied here, and why</span>
      </summary>
      {causes.map(({ title, candidates }) => (
        <details key={title} className="next-group">
          <summary>
            <span>{title}</span>
            <span className="caption muted">
              {candidates.length === 1 ? '1 command' : `${candidates.length} commands`}
            </span>
          </summary>
          <ul className="refusals" aria-label={title}>
            {candidates.map((candidate) => (
              <RefusedCandidate key={candidate.text} candidate={candidate} onInsert={onInsert} onFix={onFix} />
            ))}
          </ul>
        </details>
      ))}
      {children}
    </details>
  );
}
