import { Children, useEffect, useId, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import type { Term as Entry } from '../text/glossary';
import { withTerms } from '../text/glossary';
import { placeBeside } from './placing/place-beside';
import './term.css';

/** How long the definition stays when the pointer leaves, so that the pointer can move onto it. */
const GRACE_MILLISECONDS = 200;

/** A word whose definition shows while it has the pointer or the focus. Escape hides it; a press keeps it open. */
export function Term({ term, word }: { readonly term: Entry; readonly word: string }) {
  const id = useId();
  const box = useRef<HTMLSpanElement>(null);
  const definition = useRef<HTMLSpanElement>(null);
  const leaving = useRef(0);
  const [open, setOpen] = useState(false);

  useEffect(() => {
    if (!open) return;
    const shown = definition.current;
    const word = box.current?.getBoundingClientRect();
    if (shown === null || word === undefined) return;
    // In the top layer, above dialogs, and clipped by no pane.
    shown.showPopover();
    placeBeside(shown, word);
    const press = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape') return;
      // The definition alone closes, not the dialog around it.
      event.preventDefault();
      event.stopPropagation();
      setOpen(false);
    };
    const hide = (): void => setOpen(false);
    document.addEventListener('keydown', press, true);
    document.addEventListener('scroll', hide, true);
    return () => {
      document.removeEventListener('keydown', press, true);
      document.removeEventListener('scroll', hide, true);
      if (shown.isConnected) shown.hidePopover();
    };
  }, [open]);
  useEffect(() => () => window.clearTimeout(leaving.current), []);

  const show = (): void => {
    window.clearTimeout(leaving.current);
    setOpen(true);
  };
  const leave = (): void => {
    leaving.current = window.setTimeout(() => setOpen(false), GRACE_MILLISECONDS);
  };
  return (
    <span ref={box} className="term" onPointerEnter={show} onPointerLeave={leave}>
      <button
        type="button"
        className="term-word"
        aria-describedby={open ? id : undefined}
        onFocus={show}
        onBlur={leave}
        onClick={show}
      >
        {word}
      </button>
      {open && (
        <span ref={definition} id={id} role="tooltip" popover="manual" className="term-definition">
          <b>{term.term}</b> {term.text}
        </span>
      )}
    </span>
  );
}

/** A text in which the terms of the glossary explain themselves, each where it comes first. */
export function Terms({ text, seen }: { readonly text: string; readonly seen?: Set<Entry> }) {
  return (
    <>
      {withTerms(text, seen).map((part, index) =>
        typeof part === 'string' ? part : <Term key={index} term={part.term} word={part.word} />,
      )}
    </>
  );
}

/** Like `Terms`, for a sentence with other things in it: terms are looked for in its strings, not in its elements. */
export function Explained({ children }: { readonly children: ReactNode }) {
  const seen = new Set<Entry>();
  const parts = Children.toArray(children).flatMap((child, place): ReactNode[] =>
    typeof child !== 'string'
      ? [child]
      : withTerms(child, seen).map((part, index) =>
          typeof part === 'string' ? part : <Term key={`${place} ${index}`} term={part.term} word={part.word} />,
        ),
  );
  return <>{parts}</>;
}
