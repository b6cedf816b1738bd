import { fitLine } from '../viz/decomposition/shares';
import type { Swept } from '../viz/decomposition/shares';

const WIDTH = 420;
const HEIGHT = 140;
const ROWS = 8;

/** The fit of each sweep; hollow where rounding hides more than it shows. The table says the same in text. */
export function FitCurve({ history }: { readonly history: readonly Swept[] }) {
  const points = fitLine(history, WIDTH, HEIGHT);
  const last = history[history.length - 1];
  const first = history[0];
  if (first === undefined || last === undefined) return null;
  const fits = history.map(({ fit }) => fit);
  return (
    <section className="algorithm-panel" aria-label="Fit">
      <h2>Fit</h2>
      <p>
        {first.fit.toFixed(6)} after the first sweep, <strong>{last.resolved ? '' : 'at least '}</strong>
        <strong data-testid="fit">{last.fit.toFixed(6)}</strong> after sweep {last.sweep}.
      </p>
      <svg viewBox={`-8 -8 ${String(WIDTH + 16)} ${String(HEIGHT + 16)}`} className="fit-curve" aria-hidden="true">
        <polyline points={points.map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`).join(' ')} />
        {points.map(({ x, y, of }) => (
          <circle key={of.sweep} cx={x} cy={y} r={2.5} className={of.resolved ? '' : 'hollow'} />
        ))}
      </svg>
      <p className="caption muted">
        From {Math.min(...fits).toFixed(4)} below to {Math.max(...fits).toFixed(4)} above, sweeps {first.sweep} to{' '}
        {last.sweep}.
      </p>
      <details>
        <summary>The last sweeps as a table</summary>
        <table>
          <thead>
            <tr>
              <th scope="col">Sweep</th>
              <th scope="col">Fit</th>
              <th scope="col">Milliseconds</th>
            </tr>
          </thead>
          <tbody>
            {history.slice(-ROWS).map(({ sweep, fit, seconds }) => (
              <tr key={sweep}>
                <th scope="row">{sweep}</th>
                <td>{fit.toFixed(8)}</td>
                <td>{(1000 * seconds).toFixed(2)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </section>
  );
}
