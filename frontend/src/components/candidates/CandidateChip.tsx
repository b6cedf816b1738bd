import type { CandidateView } from '../../api/types';
import { linkId, useLinked } from '../../state/links';

interface Props {
  readonly candidate: CandidateView;
  readonly onInsert: (command: string) => void;
}

/** A command that may come next: one press writes it into the schedule. Points at the loops that it names. */
export function CandidateChip({ candidate, onInsert }: Props) {
  const { props } = useLinked(candidate.variables.map(linkId.variable));
  return (
    <button
      type="button"
      className="candidate"
      data-link={props['data-link'] || undefined}
      data-linked={props['data-linked']}
      onPointerEnter={props.onPointerEnter}
      onPointerLeave={props.onPointerLeave}
      onFocus={props.onFocus}
      onBlur={props.onBlur}
      onClick={() => onInsert(candidate.text)}
    >
      <code>{candidate.text}</code>
    </button>
  );
}
