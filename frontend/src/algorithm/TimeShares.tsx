import { shares } from '../viz/decomposition/shares';
import type { Swept } from '../viz/decomposition/shares';
import { percent } from './SweepPicture';

/** The time of all sweeps, stacked by phase and mode; the table is the same in numbers. */
export function TimeShares({ history }: { readonly history: readonly Swept[] }) {
  const spent = shares(history);
  const seconds = history.reduce((sum, sweep) => sum + sweep.seconds, 0);
  return (
    <section className="algorithm-panel" aria-label="Time">
      <h2>Time</h2>
      <p>
        {((1000 * seconds) / history.length).toFixed(2)} ms per sweep, {seconds.toFixed(2)} s in all.
      </p>
      <div className="stacked" aria-hidden="true">
        {spent.map(({ phase, share }) => (
          <span key={phase} data-step={phase.split('.')[0]} style={{ inlineSize: `${String(100 * share)}%` }} />
        ))}
      </div>
      <table>
        <thead>
          <tr>
            <th scope="col">Phase and mode</th>
            <th scope="col">Milliseconds per sweep</th>
            <th scope="col">Share</th>
          </tr>
        </thead>
        <tbody>
          {spent.map(({ phase, seconds: of, share }) => (
            <tr key={phase}>
              <th scope="row">{phase}</th>
              <td>{((1000 * of) / history.length).toFixed(3)}</td>
              <td>{percent(share)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
