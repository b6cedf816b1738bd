import { useCallback, useRef, useState } from 'react';
import { useDismiss } from '../components/use-dismiss';
import { useStore } from '../state/store';
import type { State } from '../state/store';
import { pageAddress } from '../api/site';

/** What there is to learn from: each row opens one of them. */
const WAYS: readonly { readonly title: string; readonly says: string; readonly opens: Partial<State> }[] = [
  { title: 'Take the tour', says: 'Three minutes: from a matrix to a kernel that beats SciPy', opens: { tour: 0 } },
  { title: 'Do the lessons', says: 'With tasks that the compiler checks', opens: { overlay: 'lessons' } },
  { title: 'Teach a class', says: 'Who has done what, and how they did it', opens: { overlay: 'class' } },
  {
    title: 'Read the guide',
    says: 'Expressions, formats, schedules, and what the numbers mean',
    opens: { overlay: 'guide' },
  },
  { title: 'Look up a term', says: 'The glossary: position, tile, warp and others', opens: { overlay: 'glossary' } },
  { title: 'Browse the examples', says: 'Plans by topic, each with a sentence', opens: { overlay: 'examples' } },
];

export function Learn() {
  const store = useStore();
  const [open, setOpen] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const dismiss = useCallback((by: 'escape' | 'outside') => {
    const inside = box.current?.contains(document.activeElement) ?? false;
    setOpen(false);
    if (by === 'escape' && inside) button.current?.focus();
  }, []);
  useDismiss(box, open, dismiss);
  return (
    <div
      className="share learn"
      ref={box}
      onBlur={(event) => {
        if (event.relatedTarget instanceof Node && !box.current?.contains(event.relatedTarget)) setOpen(false);
      }}
    >
      <button ref={button} type="button" className="button" aria-expanded={open} onClick={() => setOpen(!open)}>
        Learn
      </button>
      {open && (
        <div className="popover" role="group" aria-label="Learn">
          {WAYS.map(({ title, says, opens }) => (
            <button
              key={title}
              type="button"
              className="learn-way"
              onClick={() => {
                setOpen(false);
                button.current?.focus();
                store.patch(opens);
              }}
            >
              <b>{title}</b>
              <span className="caption muted block">{says}</span>
            </button>
          ))}
          <a className="learn-way" href={pageAddress('?decomposition')}>
            <b>Decompose a tensor</b>
            <span className="caption muted block">CP-ALS: a few kernels in a cycle, watched sweep by sweep</span>
          </a>
        </div>
      )}
    </div>
  );
}
