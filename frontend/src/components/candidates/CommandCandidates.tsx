import { useState } from 'react';
import type { CandidateView } from '../../api/types';
import { CandidateChip } from './CandidateChip';
import './candidates.css';

/** So many are shown before the person asks for the rest. */
const FIRST = 6;

interface Props {
  readonly name: string;
  readonly legal: readonly CandidateView[];
  readonly onInsert: (command: string) => void;
}

/** What of one command may come next. */
export function CommandCandidates({ name, legal, onInsert }: Props) {
  const [all, setAll] = useState(false);
  const chips = all ? legal : legal.slice(0, FIRST);
  if (legal.length === 0) return <p className="caption muted">No command of this kind can be applied here.</p>;
  return (
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
  );
}
