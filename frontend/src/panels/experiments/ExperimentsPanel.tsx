import { useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import { getExperiments, toProblem } from '../../api/client';
import type { ExperimentView, RunView } from '../../api/types';
import { experiments, pointKey, secondsLeft, useExperiments } from '../../state/runs/experiments';
import type { PointView } from '../../state/runs/experiments';
import { readPlan } from '../../plan/plan-reader';
import { decompositionAddress } from '../../state/address/decomposition-address';
import { useStore } from '../../state/store';
import { aboutSeconds, counted, formatNanoseconds } from '../../text/quantities';
import { Explained } from '../../components/Term';
import { ExperimentFigure } from './ExperimentFigure';
import { ValueSlider, valuesOf } from './ValueSlider';
import './experiments.css';

/** Questions that measurements on this machine answer. The service describes them; the page knows none by name. */
export default function ExperimentsPanel() {
  const [list, setList] = useState<readonly ExperimentView[] | string | null>(null);
  const { chosen: wished } = useExperiments();
  useEffect(() => {
    let gone = false;
    getExperiments().then(
      (found) => !gone && setList(found),
      (error: unknown) => !gone && setList(toProblem(error).detail),
    );
    return () => {
      gone = true;
    };
  }, []);
  if (typeof list === 'string') return <p role="alert">The experiments could not be loaded: {list}</p>;
  if (list === null) return <p className="panel-message muted">Loading…</p>;
  // Until somebody chooses, one with a curve to look at.
  const chosen = list.find(({ id }) => id === wished) ?? list.find(({ stored }) => stored !== undefined) ?? list[0];
  if (chosen === undefined) return <p className="panel-message muted">This service has no experiments.</p>;
  return (
    <section className="experiments" aria-label="Experiments">
      <Experiment key={chosen.id} experiment={chosen}>
        <label className="experiment-choice">
          Experiment{' '}
          <select value={chosen.id} onChange={(event) => experiments.choose(event.target.value)}>
            {[...new Set(list.map(({ group }) => group))].map((group) => (
              <optgroup key={group} label={group}>
                {list
                  .filter((experiment) => experiment.group === group)
                  .map(({ id, title }) => (
                    <option key={id} value={id}>
                      {title}
                    </option>
                  ))}
              </optgroup>
            ))}
          </select>
        </label>
      </Experiment>
    </section>
  );
}

interface ExperimentProps {
  readonly experiment: ExperimentView;
  /** The choice of the experiment, above what is said of it. */
  readonly children: ReactNode;
}

function Experiment({ experiment, children }: ExperimentProps) {
  const { measuring, runs, problem } = useExperiments();
  useEffect(() => {
    // What cannot be restored is measured: a failure here needs no message.
    experiments.restore(experiment.id).catch(() => undefined);
  }, [experiment.id]);
  const views = experiment.points.map((_, index) => runs[pointKey(experiment.id, index)]);
  const done = views.flatMap((view) => (view?.state === 'done' ? [view.id] : []));
  const here = measuring === experiment.id;
  const left = secondsLeft(experiment, views);
  const complete = done.length === experiment.points.length;
  const values = valuesOf(experiment);
  const [at, setAt] = useState(0);
  const stored = experiment.stored ?? '';
  const [wished, setWished] = useState<'here' | 'stored'>('here');
  const curve = done.length === 0 ? 'stored' : stored === '' ? 'here' : wished;
  return (
    <div className="experiment">
      <div className="experiment-head">
        {children}
        <p>
          <b>{experiment.question}</b>
        </p>
        <div className="run-buttons experiment-buttons">
          {here ? (
            <button type="button" className="button" onClick={experiments.stop}>
              Stop
            </button>
          ) : (
            <button
              type="button"
              className="button primary"
              disabled={measuring !== null}
              onClick={() => {
                if (complete) experiments.clear(experiment.id);
                void experiments.start(experiment);
              }}
            >
              {complete ? 'Measure again' : done.length > 0 ? 'Continue measuring' : 'Measure here'}
            </button>
          )}
          <span role="status" className="caption muted">
            {done.length} of {counted(experiment.points.length, 'run')}
            {here ? ', still measuring' : ''}
            {left === null ? '' : `, about ${aboutSeconds(left)}${here ? ' left' : ''}`}
          </span>
        </div>
        {here && (
          <progress aria-label="Progress of the experiment" max={experiment.points.length} value={done.length} />
        )}
        {problem !== null && <p role="alert">{problem}</p>}
      </div>
      {(done.length > 0 || stored !== '') && (
        <div className="experiment-curves">
          {done.length > 0 && stored !== '' && (
            <div className="experiment-curve-choice" role="group" aria-label="Curve">
              {(['here', 'stored'] as const).map((one) => (
                <button
                  key={one}
                  type="button"
                  className="button"
                  aria-pressed={curve === one}
                  onClick={() => setWished(one)}
                >
                  {one === 'here' ? 'Measured here' : 'Stored measurement'}
                </button>
              ))}
            </div>
          )}
          <ExperimentFigure
            key={curve}
            id={experiment.id}
            title={experiment.title}
            runs={curve === 'here' ? done : []}
            parameter={experiment.parameter}
            at={values[at]}
          />
          {curve === 'stored' && (
            <p className="experiment-where">
              <b>Stored measurement, not of this visit:</b> {stored}. Each point keeps the fastest median of its rounds.
              Press {complete ? 'Measured here' : done.length > 0 ? 'Continue measuring' : 'Measure here'} for the curve
              of this machine.
            </p>
          )}
        </div>
      )}
      <div className="experiment-text">
        <ValueSlider experiment={experiment} at={at} onMove={setAt} />
        <p>
          <span className="muted">Look for:</span>
          <Explained> {experiment.look_for}</Explained>
        </p>
        {experiment.where !== '' && <p className="experiment-where">{experiment.where}</p>}
        {stored === '' && done.length === 0 && (
          <p className="experiment-where">
            No curve of this experiment is stored: press Measure here
            {left === null ? '' : `, which takes about ${aboutSeconds(left)}`}, and each run adds a point.
          </p>
        )}
        <Points experiment={experiment} views={views} />
      </div>
    </div>
  );
}

interface PointsProps {
  readonly experiment: ExperimentView;
  readonly views: readonly (PointView | undefined)[];
}

/** The numbers of the figure, and the way into each plan. */
function Points({ experiment, views }: PointsProps) {
  const store = useStore();
  const { points, parameter } = experiment;
  const series = [...new Set(points.map((point) => point.series))];
  const labels = new Map(points.map(({ value, label }) => [value, label]));
  const values = [...labels.keys()].sort((left, right) => left - right);
  const cell = (name: string, value: number) => {
    const index = points.findIndex((point) => point.series === name && point.value === value);
    const point = points[index];
    if (point === undefined) return '–';
    const view = views[index];
    return (
      <>
        {describe(view)}{' '}
        {'algorithm' in point.plan ? (
          <a
            href={decompositionAddress(point.plan, view?.state === 'done' ? view.id : null)}
            target="_blank"
            rel="noopener"
            aria-label={`Open ${name}, ${parameter} ${point.label}`}
          >
            Open
          </a>
        ) : (
          <button
            type="button"
            className="link-button"
            aria-label={`Open ${name}, ${parameter} ${point.label}`}
            onClick={() => {
              store.update({ kind: 'open', draft: readPlan(point.plan) });
              if (view?.state !== 'done') return;
              store.patch({
                run: { phase: 'ended', view: view as RunView, plan: view.plan as never, problem: null, stored: false },
              });
            }}
          >
            Open
          </button>
        )}
      </>
    );
  };
  return (
    <div className="table-scroll" role="group" aria-label="Table of the experiment" tabIndex={0}>
      <table className="experiment-points">
        <caption className="visually-hidden">Median time of each run of the experiment</caption>
        <thead>
          <tr>
            <th scope="col">{parameter}</th>
            {series.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {values.map((value) => (
            <tr key={value}>
              <th scope="row">{labels.get(value)}</th>
              {series.map((name) => (
                <td key={name}>{cell(name, value)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function describe(view: PointView | undefined): string {
  if (view === undefined) return '–';
  const median = medianOf(view.result);
  return median
    ? formatNanoseconds(median)
    : view.state === 'queued'
      ? 'waiting'
      : view.state === 'leased'
        ? 'starting'
        : view.state;
}

/** Nanoseconds of a call, or of a sweep of a decomposition, whose first one warms up. */
function medianOf(result: PointView['result']): number | null {
  if (result === null) return null;
  if (!('history' in result)) return result.entries.find(({ id }) => id === 'heddle')?.median_ns ?? null;
  const swept = result.history.slice(1).length > 0 ? result.history.slice(1) : result.history;
  const times = swept.map(({ seconds }) => seconds).sort((left, right) => left - right);
  const middle = times[Math.floor(times.length / 2)];
  return middle === undefined ? null : 1e9 * middle;
}
