import type { CandidateView, FixView } from '../../api/types';
import { Prose } from '../Prose';
import { linkId, useLinked } from '../../state/links';
import { reasonOf } from './candidates';
import './candidates.css';

interface Props {
  readonly candidate: CandidateView;
  readonly onInsert: (command: string) => void;
  readonly onFix: (fix: FixView) => void;
}

/** A command that cannot be applied here: the rule and its evidence in this program, and the nearest thing that may. */
export function RefusedCandidate({ candidate, onInsert, onFix }: Props) {
  const { props } = useLinked(candidate.variables.map(linkId.variable));
  const { why_not: reason, instead } = candidate;
  if (reason === null) return null;
  // A repair of the schedule is what `instead` says; one of the expression or of a format is another way out.
  const others = reason.fixes.filter((fix) => fix.schedule === null);
  return (
    <li
      className="refused"
      data-link={props['data-link'] || undefined}
      data-linked={props['data-linked']}
      onPointerEnter={props.onPointerEnter}
      onPointerLeave={props.onPointerLeave}
      onFocus={props.onFocus}
      onBlur={props.onBlur}
    >
      <p>
        <span aria-hidden="true">✕ </span>
        <code className="refused-command">{candidate.text}</code>
        <span className="visually-hidden"> cannot be applied here:</span> <Prose text={reasonOf(candidate)} terms />
        {reason.hint !== null && (
          <span className="muted">
            {' '}
            <Prose text={reason.hint} />
          </span>
        )}
      </p>
      {(instead !== null || others.length > 0) && (
        <div className="fixes">
          {instead !== null && (
            <button type="button" className="button" onClick={() => onInsert(instead)}>
              Use <code>{instead}</code>
            </button>
          )}
          {others.map((fix) => (
            <button type="button" key={fix.title} className="button" onClick={() => onFix(fix)}>
              <Prose text={fix.title} />
            </button>
          ))}
        </div>
      )}
    </li>
  );
}
