import { useState } from 'react';
import { Icon } from '../../components/diagram/Icon';

/** Copies `text`; says whether it worked. */
export default function CopyButton({ text, what }: { readonly text: string; readonly what: string }) {
  const [outcome, setOutcome] = useState<{ readonly text: string; readonly message: string } | null>(null);
  const copy = (): void => {
    navigator.clipboard.writeText(text).then(
      () => setOutcome({ text, message: 'Copied' }),
      () => setOutcome({ text, message: 'Not copied: the browser refused' }),
    );
  };
  return (
    <span className="code-copy">
      <span role="status">{outcome?.text === text ? outcome.message : ''}</span>
      <button type="button" onClick={copy} aria-label={`Copy ${what}`} data-tip={`Copy ${what}`}>
        <Icon name="copy" />
      </button>
    </span>
  );
}
