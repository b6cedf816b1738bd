import type { Term } from '../text/glossary';
import { Terms } from './Term';

interface Props {
  readonly text: string;
  /** Terms of the glossary explain themselves. Not inside buttons and links, which hold no others. */
  readonly terms?: boolean;
}

/** Text of the service in which `backticks` mark code. */
export function Prose({ text, terms = false }: Props) {
  const parts = text.split('`');
  const seen = new Set<Term>();
  const plain = (part: string) => (terms ? <Terms text={part} seen={seen} /> : part);
  // An odd number of backticks has a stray one: then the text is shown as it came.
  if (parts.length % 2 === 0) return <>{plain(text)}</>;
  return (
    <>
      {parts.map((part, index) =>
        index % 2 === 1 ? <code key={index}>{part}</code> : <span key={index}>{plain(part)}</span>,
      )}
    </>
  );
}
