import { useState } from 'react';
import type { AlgorithmDocument } from '../api/types';
import { Announcement } from '../components/announcing/Announcement';
import { Bandwidth } from './pictures/Bandwidth';
import { Contention } from './kernels/Contention';
import { DefinitionForm } from './DefinitionForm';
import { definitionOf, documentOf, hasWrongShape, INITIAL } from './definition';
import type { Definition } from './definition';
import { FactorStrips } from './pictures/FactorStrips';
import { FitCurve } from './pictures/FitCurve';
import { Predicted } from './Predicted';
import { Result } from './Result';
import { RolesTable } from './kernels/RolesTable';
import { SweepPicture } from './pictures/SweepPicture';
import { TimeShares } from './pictures/TimeShares';
import { TreePicture } from './pictures/TreePicture';
import { useDecomposition } from './use-decomposition';
import { usePrediction } from './use-prediction';
import './algorithm.css';
import { HOME } from '../api/site';

const STOPPING = 'Stopping: the sweep under way is the last one …';

interface Props {
  /** The id of a run. */
  readonly opened: string | null;
  /** What a link says, where nothing has run yet. */
  readonly document?: AlgorithmDocument | undefined;
}

/** A decomposition from its definition to its factors: an algorithm is a few kernels in a cycle. */
export function DecompositionApp({ opened, document }: Props) {
  const [definition, setDefinition] = useState<Definition>(() =>
    document === undefined ? INITIAL : definitionOf(document),
  );
  const { watched, busy, run, stop, cancel } = useDecomposition(opened);
  const { view, history, problem } = watched;
  const prediction = usePrediction(hasWrongShape(definition) ? null : documentOf(definition));
  const predicted = prediction.view;
  const [shown, setShown] = useState(view);
  // Opened from an address: the form says what ran.
  if (view !== null && shown !== view) {
    setShown(view);
    setDefinition(definitionOf(view.plan));
  }
  const result = view?.result ?? null;
  const status = watched.stopping ? STOPPING : inWords(watched.state, watched.message, history.length);
  const resume = (sweeps: number): void => {
    if (view === null) return;
    const longer = { ...definitionOf(view.plan), sweeps };
    setDefinition(longer);
    void run(documentOf(longer), { resume: view.id });
  };
  return (
    <div className="algorithm">
      <header className="algorithm-head">
        <h1>
          <a href={HOME}>Heddle</a> · Decomposition
        </h1>
        <p className="muted">
          A sparse tensor as a sum of few components. Heddle’s kernels do the sparse work: one for each mode, called in
          every sweep.
        </p>
      </header>
      <main className="algorithm-main">
        <DefinitionForm
          definition={definition}
          busy={busy}
          stopping={watched.stopping}
          offers={predicted?.trees ?? result?.trees ?? []}
          onChange={setDefinition}
          onRun={(fresh) => void run(documentOf(definition), { fresh })}
          onStop={() => void stop()}
          onCancel={() => void cancel()}
        />
        <p className="algorithm-status">{status}</p>
        <Announcement text={status} />
        {problem !== null && (
          <p role="alert" className="complaint">
            {problem}
          </p>
        )}
        <Predicted prediction={prediction} rank={definition.rank} ran={result !== null} />
        <SweepPicture algorithm={definition.algorithm} history={history} />
        {predicted?.ok === true && (
          <TreePicture reuse={predicted.reuse} rank={definition.rank} nodes={predicted.roles} history={history} />
        )}
        {history.length > 0 && (
          <div className="algorithm-pair">
            <FitCurve history={history} opponents={result?.opponents ?? []} />
            <TimeShares history={history} packing={result?.packing_seconds ?? null} />
          </div>
        )}
        {view !== null && result !== null && (
          <>
            <RolesTable result={result} />
            <Contention result={result} />
            <Bandwidth result={result} />
            <Result id={view.id} document={view.plan} result={result} busy={busy} onResume={resume} />
            <FactorStrips strips={result.strips ?? []} weights={result.weights} shape={result.input.shape} />
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
