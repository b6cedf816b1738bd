import type { CandidateGroup } from './candidates';
import './candidates.css';

interface Props {
  readonly groups: readonly CandidateGroup[];
  readonly onMore: (command: string) => void;
}

/** What the answer had no room for, a button for each command. */
export function MoreCandidates({ groups, onMore }: Props) {
  const long = groups.filter(({ leftOut }) => leftOut > 0);
  if (long.length === 0) return null;
  return (
    <p className="candidates">
      {long.map(({ name, leftOut }) => (
        <button key={name} type="button" className="link-button" onClick={() => onMore(name)}>
          List more of {name} ({leftOut} left)
        </button>
      ))}
    </p>
  );
}
