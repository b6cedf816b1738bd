import { useEffect, useRef, useState } from 'react';
import { Prose } from '../../components/Prose';
import { setToured } from '../../state/kept/preferences';
import { useSelect, useStore } from '../../state/store';
import type { State } from '../../state/store';
import { TOUR_STEPS } from './steps';
import type { TourStep } from './steps';
import './tour.css';

const MARK = 'data-tour-target';

/** One line above the panes: it never covers what it speaks of. */
export default function Tour() {
  const store = useStore();
  const wanted = useSelect((state) => state.tour ?? 0);
  const number = Math.min(wanted, TOUR_STEPS.length - 1);
  const step = TOUR_STEPS[number];
  const done = useSelect((state) => step?.done?.(state) ?? false);
  const text = useSelect((state) => (step === undefined ? '' : textOf(step, state, done)));
  const [helped, setHelped] = useState<{ readonly step: number; readonly text: string } | null>(null);
  const box = useRef<HTMLElement>(null);
  const last = number === TOUR_STEPS.length - 1;
  const target = step?.target ?? '.main';
  useFrame(target);

  if (step === undefined) return null;
  const go = (next: number): void => {
    const entered = TOUR_STEPS[next];
    const left = next > number && !done ? step.ends : undefined;
    // The plan is the one that the next step speaks of. It opens as a step of undo: what was in the editors is not lost.
    const first = number === 0 || next < number || entered?.opened !== undefined;
    const plan = first ? entered?.opens : left;
    if (plan !== undefined) store.update({ kind: 'open', draft: plan });
    const text =
      (first ? entered?.opened : undefined) ?? (left === undefined ? null : 'The page did the last step for you.');
    setHelped(text === null ? null : { step: next, text });
    store.look(entered?.view ?? {});
    store.patch({ tour: next });
    box.current?.focus();
  };
  const end = (): void => {
    setToured();
    store.patch({ tour: null });
  };
  const { ends } = step;
  return (
    <section className="tour" aria-label="Tour" ref={box} tabIndex={-1}>
      <div className="tour-text" role="status">
        <h2>
          {step.title}{' '}
          {number > 0 && (
            <span className="caption muted">
              {number} of {TOUR_STEPS.length - 1}
            </span>
          )}
        </h2>
        <p>
          <Prose text={text} terms />
        </p>
        {step.task !== undefined && (
          <p className="tour-task" data-done={done ? '' : undefined}>
            {done ? <b>✓ Done: </b> : <b>Try it: </b>}
            {step.task}
          </p>
        )}
        {helped?.step === number && <p className="caption muted">{helped.text}</p>}
      </div>
      <div className="tour-buttons">
        {step.task !== undefined && !done && (
          <button type="button" className="button" onClick={() => focusIn(target)}>
            Go there
          </button>
        )}
        {ends !== undefined && !done && (
          <button type="button" className="button" onClick={() => store.update({ kind: 'open', draft: ends })}>
            Write it for me
          </button>
        )}
        {number === 0 && (
          <button type="button" className="button" onClick={() => store.patch({ overlay: 'guide' })}>
            Read the guide
          </button>
        )}
        {number > 1 && (
          <button type="button" className="button" onClick={() => go(number - 1)}>
            Back
          </button>
        )}
        <button type="button" className="button primary" onClick={last ? end : () => go(number + 1)}>
          {number === 0 ? 'Start the tour' : last ? 'Finish' : 'Next'}
        </button>
        {!last && (
          <button type="button" className="button quiet" onClick={end}>
            {number === 0 ? 'Not now' : 'End the tour'}
          </button>
        )}
      </div>
    </section>
  );
}

function textOf(step: TourStep, state: State, done: boolean): string {
  return (done ? step.after?.(state) : undefined) ?? step.inLanguage?.[state.draft.language] ?? step.text;
}

/** Frames the part of the page that the step is about. It may come later: panels load when they are first shown. */
function useFrame(selector: string): void {
  useEffect(() => {
    const main = document.querySelector('.main');
    if (main === null || selector === '.main') return;
    const mark = (): void => {
      for (const old of main.querySelectorAll(`[${MARK}]`)) if (!old.matches(selector)) old.removeAttribute(MARK);
      main.querySelector(selector)?.setAttribute(MARK, '');
    };
    mark();
    const watcher = new MutationObserver(mark);
    watcher.observe(main, { childList: true, subtree: true });
    return () => {
      watcher.disconnect();
      for (const old of main.querySelectorAll(`[${MARK}]`)) old.removeAttribute(MARK);
    };
  }, [selector]);
}

/** Puts the focus where the step asks for work: the editor, else the main button of the part. */
function focusIn(selector: string): void {
  const part = document.querySelector(selector);
  const places = [
    '.part-grow [contenteditable=true]',
    '[contenteditable=true]',
    'button.primary:not(:disabled)',
    'button',
  ];
  const place = places.map((one) => part?.querySelector<HTMLElement>(one)).find(Boolean);
  place?.scrollIntoView({ block: 'nearest' });
  place?.focus();
}
