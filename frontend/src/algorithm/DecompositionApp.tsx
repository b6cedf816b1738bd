import { useState } from 'react';
import type { AlgorithmDocument } from '../api/types';
import { DefinitionForm } from './DefinitionForm';
import { definitionOf, documentOf, INITIAL } from './definition';
import type { Definition } from './definition';
import { FitCurve } from './FitCurve';
import { Result } from './Result';
import { RolesTable } from './RolesTable';
import { SweepPicture } from './SweepPicture';
import { TimeShares } from './TimeShares';
import { useDecomposition } from './use-decomposition';
import './algorithm.css';

/** CP-ALS from its definition to its factors: an algorithm is a few kernels in a cycle. */
export function DecompositionApp({ opened }: { readonly opened: string | null }) {
  const [definition, setDefinition] = useState<Definition>(INITIAL);
  const { watched, busy, run, stop, cancel } = useDecomposition(opened);
  const { view, history, problem } = watched;
  const [shown, setShown] = useState(view);
  // Opened from an address: the form says what ran.
  if (view !== null && shown !== view) {
    setShown(view);
    setDefinition(definitionOf(view.plan));
  }
  const result = view?.result ?? null;
  const more: AlgorithmDocument = documentOf(definition);
  return (
    <div className="algorithm">
      <header className="algorithm-head">
        <h1>
          <a href="/">Heddle</a> · Decomposition
        </h1>
        <p className="muted">
          CP-ALS writes a sparse tensor as a sum of few components. Its sparse work is kernels of Heddle, one for each
          mode, called in every sweep.
        </p>
      </header>
      <main className="algorithm-main">
        <DefinitionForm
          definition={definition}
          busy={busy}
          onChange={setDefinition}
          onRun={(fresh) => void run(more, fresh)}
          onStop={() => void stop()}
          onCancel={() => void cancel()}
        />
        <p role="status" className="algorithm-status">
          {inWords(watched.state, watched.message, history.length)}
        </p>
        {problem !== null && (
          <p role="alert" className="complaint">
            {problem}
          </p>
        )}
        <SweepPicture history={history} />
        {history.length > 0 && (
          <div className="algorithm-pair">
            <FitCurve history={history} />
            <TimeShares history={history} />
          </div>
        )}
        {view !== null && result !== null && (
          <>
            <RolesTable result={result} />
            <Result id={view.id} result={result} />
          </>
        )}
      </main>
    </div>
  );
}

function inWords(state: string | null, message: string, sweeps: number): string {
  const swept = sweeps === 1 ? '1 sweep' : `${String(sweeps)} sweeps`;
  switch (state) {
    case null:
      return message;
    case 'queued':
    case 'leased':
      return 'Waiting for a machine …';
    case 'running':
      return message === '' ? 'Running …' : message;
    case 'done':
      return `Done after ${swept}.`;
    default:
      return `Ended: ${state}.`;
  }
}
