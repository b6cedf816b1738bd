import { useEffect, useState } from 'react';
import { getBridge, isAbort, toProblem } from '../../api/client';
import type { BridgeView } from '../../api/types';
import { Dialog } from '../../components/Dialog';
import { Prose } from '../../components/Prose';
import { toPlan } from '../../plan/plan';
import { readPlan } from '../../plan/plan-reader';
import { compareWith } from '../../state/comparison-actions';
import { useStore } from '../../state/store';
import './bridge.css';

/** The plan in another language: how it comes about, step by step, before it is opened. */
export default function BridgeDialog({ title, onClose }: { readonly title: string; readonly onClose: () => void }) {
  const store = useStore();
  const [view, setView] = useState<BridgeView | null>(null);
  const [trouble, setTrouble] = useState<string | null>(null);
  useEffect(() => {
    const controller = new AbortController();
    getBridge(toPlan(store.get().draft), controller.signal).then(setView, (error: unknown) => {
      if (!isAbort(error)) setTrouble(toProblem(error).detail);
    });
    return () => controller.abort();
  }, [store]);
  const open = (compared: boolean): void => {
    if (view?.plan === null || view?.plan === undefined) return;
    const { draft } = store.get();
    store.update({ kind: 'open', draft: readPlan(view.plan) });
    if (compared) compareWith(store, draft, 'Before the bridge');
    onClose();
  };
  return (
    <Dialog title={title} className="bridge" onClose={onClose}>
      <div role="status" className="bridge-said">
        {trouble !== null && <p className="tone-error">{trouble}</p>}
        {trouble === null && view === null && <p className="muted">Looking for the same computation there…</p>}
        {view !== null && !view.ok && <Refused view={view} />}
        {view?.ok === true && <Derived view={view} />}
      </div>
      <div className="bridge-end">
        <button type="button" className="button" disabled={view?.ok !== true} onClick={() => open(true)}>
          Open and compare
        </button>
        <button type="button" className="button primary" disabled={view?.ok !== true} onClick={() => open(false)}>
          Open
        </button>
      </div>
    </Dialog>
  );
}

function Refused({ view }: { readonly view: BridgeView }) {
  return (
    <>
      <h3>It has no counterpart</h3>
      {view.diagnostics.map((one) => (
        <p key={one.message}>
          <Prose text={one.message} />
        </p>
      ))}
    </>
  );
}

function Derived({ view }: { readonly view: BridgeView }) {
  const schedule = Array.isArray(view.plan?.schedule) ? view.plan.schedule.map(String) : [];
  return (
    <>
      <ol className="bridge-steps" aria-label="Derivation">
        {view.steps.map((step, place) => (
          <li key={place}>
            <b>{step.title}</b>
            <code>{step.text}</code>
          </li>
        ))}
      </ol>
      {schedule.length > 0 && (
        <p>
          Schedule: <code>{schedule.join('; ')}</code>
        </p>
      )}
      {view.notes.map((note) => (
        <p key={note} className="muted">
          {note}
        </p>
      ))}
    </>
  );
}
