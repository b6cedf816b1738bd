import { useState } from 'react';
import type { FixView } from '../../api/types';
import { CandidateChip } from './CandidateChip';
import type { CandidateGroup } from './candidates';
import { RefusedCandidate } from './RefusedCandidate';
import './candidates.css';

/** So many are shown before the person asks for the rest. */
const FIRST = 6;

interface Props {
  readonly group: CandidateGroup;
  readonly onInsert: (command: string) => void;
  readonly onFix: (fix: FixView) => void;
}

/** One command: what may come next, and what may not with its reason. */
export function CommandCandidates({ group, onInsert, onFix }: Props) {
  const [all, setAll] = useState(false);
  const { name, legal, refused } = group;
  const chips = all ? legal : legal.slice(0, FIRST);
  return (
    <>
      {legal.length > 0 ? (
        <div className="candidates" role="group" aria-label={`${name}: can be applied here`}>
          {chips.map((candidate) => (
            <CandidateChip key={candidate.text} candidate={candidate} onInsert={onInsert} />
          ))}
          {chips.length < legal.length && (
            <button type="button" className="link-button" onClick={() => setAll(true)}>
              {legal.length - chips.length} more
            </button>
          )}
        </div>
      ) : (
        <p className="caption muted">No command of this kind can be applied here.</p>
      )}
      {refused.length > 0 && (
        <ul className="refusals" aria-label={`${name}: cannot be applied here`}>
          {refused.map((candidate) => (
            <RefusedCandidate key={candidate.text} candidate={candidate} onInsert={onInsert} onFix={onFix} />
          ))}
        </ul>
      )}
    </>
  );
}
