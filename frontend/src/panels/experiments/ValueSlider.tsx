import { useId } from 'react';
import type { ExperimentView } from '../../api/types';

type Point = ExperimentView['points'][number];

export interface ExperimentValue {
  readonly value: number;
  readonly label: string;
}

/** The values of the parameter, ascending. */
export function valuesOf({ points }: ExperimentView): readonly ExperimentValue[] {
  const labels = new Map(points.map(({ value, label }) => [value, label]));
  return [...labels].map(([value, label]) => ({ value, label })).sort((one, other) => one.value - other.value);
}

interface Props {
  readonly experiment: ExperimentView;
  readonly at: number;
  readonly onMove: (at: number) => void;
}

/** Moves the point over the figure; what is known of it without a run is drawn below. */
export function ValueSlider({ experiment, at, onMove }: Props) {
  const id = useId();
  const values = valuesOf(experiment);
  const chosen = values[at];
  if (chosen === undefined || values.length < 2) return null;
  const points = experiment.points.filter(({ value }) => value === chosen.value);
  const model = points[0]?.model ?? '';
  return (
    <div className="experiment-slider">
      <label htmlFor={id}>{experiment.parameter}</label>
      <input
        id={id}
        type="range"
        min={0}
        max={values.length - 1}
        value={at}
        aria-valuetext={chosen.label}
        onChange={(event) => onMove(Number(event.target.value))}
      />
      <output htmlFor={id}>{chosen.label}</output>
      {model !== '' && <p className="caption">{model}</p>}
      <Work points={points} />
    </div>
  );
}

/** The rows of the matrix, and what each thread gets of them: counted from the parameters, not measured. */
function Work({ points }: { readonly points: readonly Point[] }) {
  const rows = points[0]?.rows ?? [];
  if (rows.length === 0) return null;
  const most = Math.max(...rows);
  const lanes = points.filter((point) => point.lanes.length > 0);
  const longest = Math.max(...lanes.flatMap((point) => point.lanes));
  return (
    <div className="experiment-work">
      <figure>
        <figcaption className="caption muted">Nonzeros from the first rows to the last (model)</figcaption>
        <svg
          viewBox={`0 0 100 ${rows.length}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={`Parts of the rows hold from ${Math.min(...rows).toLocaleString('en')} to ${most.toLocaleString('en')} nonzeros`}
        >
          {rows.map((count, row) => (
            <rect key={row} x={0} y={row} width={(100 * count) / most} height={0.9} />
          ))}
        </svg>
      </figure>
      <figure>
        <figcaption className="caption muted">Nonzeros of each thread (model)</figcaption>
        <ul>
          {lanes.map(({ series, lanes: counts }) => (
            <li key={series}>
              <span>{series}</span>
              {counts.map((count, thread) => (
                <svg
                  key={thread}
                  viewBox="0 0 100 6"
                  preserveAspectRatio="none"
                  role="img"
                  aria-label={`thread ${thread + 1}: ${count.toLocaleString('en')} nonzeros`}
                >
                  <rect className="experiment-idle" width={100} height={6} />
                  <rect width={(100 * count) / longest} height={6} />
                </svg>
              ))}
            </li>
          ))}
        </ul>
      </figure>
    </div>
  );
}
