import { useState } from 'react';

interface Props {
  readonly label: string;
  /** What the second press says that it does. */
  readonly sure: string;
  /** The name for screen readers where the label alone does not say what of. */
  readonly of?: string;
  readonly onSure: () => void;
}

/** A button for what cannot be undone: the first press asks, the second one does it. */
export function TwoSteps({ label, sure, of, onSure }: Props) {
  const [asked, setAsked] = useState(false);
  const named = of === undefined ? {} : { 'aria-label': `${asked ? sure : label} ${of}` };
  return (
    <span className="class-steps">
      <button
        type="button"
        className={asked ? 'button' : 'button quiet'}
        {...named}
        onClick={() => {
          if (asked) onSure();
          setAsked(!asked);
        }}
        onBlur={() => setAsked(false)}
      >
        {asked ? sure : label}
      </button>
    </span>
  );
}
