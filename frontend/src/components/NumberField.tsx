import { useId, useState } from 'react';
import { useComplaint } from '../state/editing/complaints';
import { readNumber } from '../text/numbers';
import { formatCount } from '../text/quantities';

interface Props {
  readonly label: string;
  readonly value: number | null;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly integer?: boolean;
  readonly placeholder?: string;
  /** Called with numbers in range only; null (an emptied field) only where `optional`. */
  readonly onChange: (value: number | null) => void;
  readonly optional?: boolean;
  /** For a field of the plan: whose it is. Nothing runs while what stands in it cannot be used. */
  readonly of?: string;
  /** Why the number is what it is, where nobody can change it. */
  readonly fixedBy?: string | undefined;
}

/** A number with its range; what cannot be used stays in the field and is said below it. */
export function NumberField(props: Props) {
  const { label, value, minimum = -Infinity, maximum = Infinity, integer = false, optional = false } = props;
  const id = useId();
  const [typed, setTyped] = useState<string | null>(null);
  const [before, setBefore] = useState(value);
  const text = typed ?? (value === null ? '' : String(value));
  const complaint = typed === null ? null : check(typed, minimum, maximum, integer, optional);
  if (before !== value) {
    setBefore(value);
    // Undo, or another field, gave the number: what was typed here is over.
    if (complaint !== null) setTyped(null);
  }
  useComplaint(complaint === null || props.of === undefined ? null : `${props.of}, ${label}: ${complaint}`);
  const change = (next: string): void => {
    setTyped(next);
    if (check(next, minimum, maximum, integer, optional) !== null) return;
    const reading = readNumber(next, integer);
    props.onChange('value' in reading ? reading.value : null);
  };
  const note = complaint ?? props.fixedBy;
  return (
    <span className="field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        inputMode={integer ? 'numeric' : 'decimal'}
        value={text}
        placeholder={props.placeholder}
        readOnly={props.fixedBy !== undefined}
        aria-invalid={complaint !== null}
        aria-describedby={note === undefined ? undefined : `${id}-note`}
        onChange={(event) => change(event.target.value)}
        onBlur={() => {
          if (complaint === null) setTyped(null);
        }}
      />
      {note !== undefined && (
        <span className={complaint === null ? 'caption muted' : 'complaint'} id={`${id}-note`}>
          {note}
        </span>
      )}
    </span>
  );
}

export function check(
  text: string,
  minimum: number,
  maximum: number,
  integer: boolean,
  optional: boolean,
): string | null {
  if (text.trim() === '') return optional ? null : 'A number is needed.';
  const reading = readNumber(text, integer);
  if ('complaint' in reading) return reading.complaint;
  const { value } = reading;
  if (integer && !Number.isInteger(value)) return 'A whole number is needed.';
  if (value < minimum) return `At least ${formatCount(minimum)}.`;
  if (value > maximum) return `At most ${formatCount(maximum)}.`;
  return null;
}
