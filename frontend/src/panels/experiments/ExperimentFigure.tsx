import { Suspense, useEffect, useMemo, useState } from 'react';
import { getExperimentFigure, getStoredFigure, isAbort, toProblem } from '../../api/client';
import type { PlotlyFigure } from '../../api/client';
import { readingsAt, withRings } from './moving-point';
import type { ExperimentValue } from './ValueSlider';
import { ErrorBoundary } from '../../components/ErrorBoundary';
import { lazyFile } from '../../components/loading/lazy-file';

const Plot = lazyFile(() => import('../../components/plot/Plot'));

interface FigureProps {
  readonly id: string;
  readonly title: string;
  /** None: the stored measurement is drawn. */
  readonly runs: readonly string[];
  readonly parameter: string;
  /** Where the slider is. */
  readonly at: ExperimentValue | undefined;
}

/** The curve of an experiment, and what it says where the slider is. */
export function ExperimentFigure({ id, title, runs, parameter, at }: FigureProps) {
  const [figure, setFigure] = useState<PlotlyFigure | string | null>(null);
  const asked = runs.join(' ');
  useEffect(() => {
    const controller = new AbortController();
    const drawn =
      asked === ''
        ? getStoredFigure(id, controller.signal)
        : getExperimentFigure(id, asked.split(' '), controller.signal);
    drawn.then(setFigure, (error: unknown) => {
      if (!isAbort(error)) setFigure(toProblem(error).detail);
    });
    return () => controller.abort();
  }, [id, asked]);
  const readings = useMemo(
    () =>
      figure === null || typeof figure === 'string' || at === undefined ? [] : readingsAt(figure, at.value, at.label),
    [figure, at],
  );
  const shown = useMemo(
    () => (figure === null || typeof figure === 'string' ? null : withRings(figure, readings)),
    [figure, readings],
  );
  if (typeof figure === 'string') return <p role="alert">The figure could not be drawn: {figure}</p>;
  if (shown === null) return <p className="panel-message muted">Loading…</p>;
  return (
    <div>
      <ErrorBoundary name="The figure" resetKey={shown}>
        <Suspense fallback={<p className="panel-message muted">Loading…</p>}>
          <Plot figure={shown} title={title} />
        </Suspense>
      </ErrorBoundary>
      {at !== undefined && (
        <p className="experiment-reading" aria-live="polite">
          {readings.length === 0
            ? `${parameter} ${at.label}: not measured ${asked === '' ? 'in the stored curve' : 'here yet'}.`
            : `${parameter} ${at.label}: ${readings.map(({ name, text }) => `${name} ${text}`).join('; ')}.`}
        </p>
      )}
    </div>
  );
}
