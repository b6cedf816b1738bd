import { useEffect, useState } from 'react';
import { isAbort, readText, toProblem } from '../../api/client';
import type { ImportView } from '../../api/types';
import { Dialog } from '../../components/Dialog';
import { Prose } from '../../components/Prose';
import { toPlan } from '../../plan/plan';
import { readPlan } from '../../plan/plan-reader';
import { useStore } from '../../state/store';
import './import.css';

/** Milliseconds after a key before the text is read. */
const PAUSE = 250;

/** Reads a plan out of a text from elsewhere, and says what it took and what it did not before anything changes. */
export default function ImportDialog({ onClose }: { readonly onClose: () => void }) {
  const store = useStore();
  const [text, setText] = useState(store.pasted.get());
  const [view, setView] = useState<ImportView | null>(null);
  const [trouble, setTrouble] = useState<string | null>(null);

  useEffect(() => {
    if (text.trim() === '') return undefined;
    const controller = new AbortController();
    const timer = window.setTimeout(() => {
      readText(text, toPlan(store.get().draft), controller.signal).then(
        (answer) => {
          setView(answer);
          setTrouble(null);
        },
        (error: unknown) => {
          if (!isAbort(error)) setTrouble(toProblem(error).detail);
        },
      );
    }, PAUSE);
    return () => {
      window.clearTimeout(timer);
      controller.abort();
    };
  }, [text, store]);

  const shown = text.trim() === '' ? null : view;
  const use = (): void => {
    if (shown?.plan === null || shown?.plan === undefined) return;
    store.update({ kind: 'open', draft: readPlan(shown.plan) });
    onClose();
  };
  return (
    <Dialog title="Read a plan from a text" className="import" onClose={onClose}>
      <label className="import-text">
        <span className="caption muted">
          Paste a TACO command line, a program of TACO’s C++ interface, a schedule from the paper’s appendix, or a plan
          as JSON.
        </span>
        <textarea
          className="code-input"
          rows={8}
          spellCheck={false}
          autoFocus
          placeholder={'taco "y(i) = A(i,j) * x(j)" -f=A:ds -s="split(i,i0,i1,32)"'}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </label>
      <div role="status" className="import-summary">
        {trouble !== null && <p className="tone-error">{trouble}</p>}
        {trouble === null && shown !== null && <Summary view={shown} />}
      </div>
      <div className="import-end">
        <button type="button" className="button primary" disabled={shown?.ok !== true} onClick={use}>
          Use this plan
        </button>
      </div>
    </Dialog>
  );
}

function Summary({ view }: { readonly view: ImportView }) {
  const errors = view.diagnostics.filter(({ severity }) => severity === 'error');
  return (
    <>
      {view.ok && (
        <p>
          Read as {view.title}. {errors.length === 0 ? 'It compiles.' : 'It does not compile as it is:'}
        </p>
      )}
      {errors.map(({ message }) => (
        <p key={message} className="tone-error">
          <Prose text={message} />
        </p>
      ))}
      <Pieces title="Taken" pieces={view.taken} />
      {view.left.length > 0 && (
        <section aria-label="Left out">
          <h3>Left out</h3>
          <ul>
            {view.left.map(({ text, why }, index) => (
              <li key={index}>
                <code>{text}</code> <span className="muted">{why}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
      <Pieces title={view.ok ? 'Good to know' : 'No plan'} pieces={view.notes} />
    </>
  );
}

function Pieces({ title, pieces }: { readonly title: string; readonly pieces: readonly string[] }) {
  if (pieces.length === 0) return null;
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      <ul>
        {pieces.map((piece) => (
          <li key={piece}>{piece}</li>
        ))}
      </ul>
    </section>
  );
}
