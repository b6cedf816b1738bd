import { useState } from 'react';
import type { DecompositionResult } from '../../api/types';
import { formatNanoseconds, threeDigits } from '../../text/quantities';
import { elapsed, fitLines } from '../../viz/decomposition/shares';
import type { FitOver, FitScale, Fitted, Swept } from '../../viz/decomposition/shares';

const WIDTH = 420;
const HEIGHT = 140;
const ROWS = 8;

export type Opponents = NonNullable<DecompositionResult['opponents']>;

interface Props {
  readonly history: readonly Swept[];
  /** Other programs from the same start. */
  readonly opponents?: Opponents;
}

/** The fit of each sweep, over sweeps or over seconds; hollow where rounding hides more than it shows. The tables say the same in text. */
export function FitCurve({ history, opponents = [] }: Props) {
  const [scale, setScale] = useState<FitScale>('fit');
  const [over, setOver] = useState<FitOver>('sweeps');
  const all: readonly (readonly Fitted[])[] = [history, ...opponents.map((one) => one.history)];
  const [ours = [], ...theirs] = fitLines(all, WIDTH, HEIGHT, scale, over);
  const last = history[history.length - 1];
  const first = history[0];
  if (first === undefined || last === undefined) return null;
  const fits = all.flat().map(({ fit }) => fit);
  const ends = elapsed(history);
  const longest = Math.max(...all.map((one) => elapsed(one).at(-1) ?? 0));
  const hidden = new Set(history.filter(({ resolved }) => !resolved).map(({ sweep }) => sweep));
  return (
    <section className="algorithm-panel" aria-label="Fit">
      <h2>Fit</h2>
      <p>
        {first.fit.toFixed(6)} after the first sweep, <strong>{last.resolved ? '' : 'at least '}</strong>
        <strong data-testid="fit">{last.fit.toFixed(6)}</strong> after sweep {last.sweep}.
      </p>
      <svg viewBox={`-8 -8 ${String(WIDTH + 16)} ${String(HEIGHT + 16)}`} className="fit-curve" aria-hidden="true">
        {theirs.map((line, place) => (
          <polyline key={opponents[place]?.id} data-opponent={opponents[place]?.id} points={pointsOf(line)} />
        ))}
        <polyline points={pointsOf(ours)} />
        {ours.map(({ x, y, of }) => (
          <circle key={of.sweep} cx={x} cy={y} r={2.5} className={hidden.has(of.sweep) ? 'hollow' : ''} />
        ))}
      </svg>
      <p className="caption muted">
        From {Math.min(...fits).toFixed(4)} below to {Math.max(...fits).toFixed(4)} above,{' '}
        {over === 'sweeps'
          ? `sweeps ${String(first.sweep)} to ${String(last.sweep)}`
          : `0 to ${formatNanoseconds(1e9 * longest)}, a point at the end of each sweep`}
        .{' '}
        <label className="check">
          <input
            type="checkbox"
            checked={over === 'seconds'}
            onChange={(event) => setOver(event.target.checked ? 'seconds' : 'sweeps')}
          />{' '}
          Over seconds
        </label>{' '}
        <label className="check">
          <input
            type="checkbox"
            checked={scale === 'log'}
            onChange={(event) => setScale(event.target.checked ? 'log' : 'fit')}
          />{' '}
          By the logarithm of 1 − fit
        </label>
      </p>
      <Compared history={history} opponents={opponents} />
      <details>
        <summary>The last sweeps as a table</summary>
        <table>
          <thead>
            <tr>
              <th scope="col">Sweep</th>
              <th scope="col">Fit</th>
              <th scope="col">Milliseconds</th>
              <th scope="col">Seconds so far</th>
            </tr>
          </thead>
          <tbody>
            {history.slice(-ROWS).map(({ sweep, fit, seconds }, place) => (
              <tr key={sweep}>
                <th scope="row">{sweep}</th>
                <td>{fit.toFixed(8)}</td>
                <td>{(1000 * seconds).toFixed(2)}</td>
                <td>{ends[Math.max(history.length - ROWS, 0) + place]?.toFixed(4)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </section>
  );
}

const pointsOf = (line: readonly { readonly x: number; readonly y: number }[]): string =>
  line.map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`).join(' ');

/** Each program at the last sweep that both made, and how long a sweep takes it beside ours. */
function Compared({ history, opponents }: Required<Props>) {
  if (opponents.length === 0) return null;
  const ours = mean(history.slice(1).length > 0 ? history.slice(1) : history);
  return (
    <div className="scrolled" tabIndex={0} role="region" aria-label="Other programs">
      <table>
        <caption>From the same start; the time of a sweep relative to ours</caption>
        <thead>
          <tr>
            <th scope="col">Program</th>
            <th scope="col">Sweeps</th>
            <th scope="col">Fit</th>
            <th scope="col">Apart</th>
            <th scope="col">A sweep</th>
            <th scope="col">Times ours</th>
          </tr>
        </thead>
        <tbody>
          {opponents.map(({ id, label, version, reason, note, history: theirs }) => {
            const end = theirs[theirs.length - 1];
            const same = history.find(({ sweep }) => sweep === end?.sweep);
            const seconds = mean(theirs.slice(1).length > 0 ? theirs.slice(1) : theirs);
            return (
              <tr key={id} data-opponent={id}>
                <th scope="row">
                  {label} {version}
                </th>
                {end === undefined ? (
                  <td colSpan={5}>{reason}</td>
                ) : (
                  <>
                    <td>{theirs.length}</td>
                    <td>{end.fit.toFixed(8)}</td>
                    <td>{same === undefined ? '–' : Math.abs(same.fit - end.fit).toExponential(1)}</td>
                    <td data-tip={note} tabIndex={note === undefined ? undefined : 0}>
                      {(1000 * seconds).toFixed(2)} ms
                    </td>
                    <td>{ours > 0 ? `${threeDigits(seconds / ours)} ×` : '–'}</td>
                  </>
                )}
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

const mean = (swept: readonly { readonly seconds: number }[]): number =>
  swept.length > 0 ? swept.reduce((sum, { seconds }) => sum + seconds, 0) / swept.length : 0;
