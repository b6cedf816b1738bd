import { useId, useState } from 'react';

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
}

/** A number with its range; what cannot be used stays in the field and is said below it. */
export function NumberField(props: Props) {
  const { label, value, minimum = -Infinity, maximum = Infinity, integer = false, optional = false } = props;
  const id = useId();
  const [typed, setTyped] = useState<string | null>(null);
  const text = typed ?? (value === null ? '' : String(value));
  const complaint = typed === null ? null : check(typed, minimum, maximum, integer, optional);
  const change = (next: string): void => {
    setTyped(next);
    if (check(next, minimum, maximum, integer, optional) === null)
      props.onChange(next.trim() === '' ? null : Number(next));
  };
  return (
    <span className="field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        inputMode={integer ? 'numeric' : 'decimal'}
        value={text}
        placeholder={props.placeholder}
        aria-invalid={complaint !== null}
        aria-describedby={complaint === null ? undefined : `${id}-complaint`}
        onChange={(event) => change(event.target.value)}
        onBlur={() => {
          if (complaint === null) setTyped(null);
        }}
      />
      {complaint !== null && (
        <span className="complaint" id={`${id}-complaint`}>
          {complaint}
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
  const value = Number(text);
  if (Number.isNaN(value)) return `“${text.trim()}” is not a number.`;
  if (integer && !Number.isInteger(value)) return 'A whole number is needed.';
  if (value < minimum) return `At least ${minimum}.`;
  if (value > maximum) return `At most ${maximum}.`;
  return null;
}
