import { formatNanoseconds, threeDigits } from '../../text/quantities';
import { besideOnce, shares } from '../../viz/decomposition/shares';
import type { Share, Swept } from '../../viz/decomposition/shares';
import { PhaseBar } from './PhaseBar';
import { percent } from './SweepPicture';
import { usePhase } from './use-phase';

interface Props {
  readonly history: readonly Swept[];
  /** Seconds of all stored copies of the tensor, once before the first sweep; null while that is not known. */
  readonly packing?: number | null;
}

/** The time of all sweeps, stacked by phase and mode; the table is the same in numbers. */
export function TimeShares({ history, packing = null }: Props) {
  const spent = shares(history);
  const seconds = history.reduce((sum, sweep) => sum + sweep.seconds, 0);
  const sweep = seconds / history.length;
  return (
    <section className="algorithm-panel" aria-label="Time">
      <h2>Time</h2>
      <p>
        {(1000 * sweep).toFixed(2)} ms per sweep, {seconds.toFixed(2)} s in all.
      </p>
      {packing === null ? <PhaseBar spent={spent} /> : <Sorting packing={packing} sweep={sweep} spent={spent} />}
      <table>
        <thead>
          <tr>
            <th scope="col">Phase and mode</th>
            <th scope="col">Milliseconds per sweep</th>
            <th scope="col">Share</th>
          </tr>
        </thead>
        <tbody>
          {spent.map((one) => (
            <Row key={one.phase} one={one} sweeps={history.length} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Row({ one: { phase, seconds, share }, sweeps }: { readonly one: Share; readonly sweeps: number }) {
  const lit = usePhase([phase]);
  return (
    <tr {...lit}>
      <th scope="row">{phase}</th>
      <td>{((1000 * seconds) / sweeps).toFixed(3)}</td>
      <td>{percent(share)}</td>
    </tr>
  );
}

interface SortingProps {
  readonly packing: number;
  readonly sweep: number;
  readonly spent: readonly Share[];
}

/** A sweep and, in the same scale, what the order of the entries took once before all of them. */
function Sorting({ packing, sweep, spent }: SortingProps) {
  const found = besideOnce(sweep, packing);
  return (
    <div className="beside-once">
      <span className="caption">Each sweep</span>
      <PhaseBar spent={spent} whole={found.sweep} />
      <span className="caption">Sorting, once</span>
      <div className="stacked" aria-hidden="true">
        <span data-step="sorting" style={{ inlineSize: `${String(100 * found.once)}%` }} />
      </div>
      <p className="caption" data-testid="sorting">
        Sorting the entries and storing them for all modes took {formatNanoseconds(1e9 * packing)} once, as long as{' '}
        {threeDigits(found.sweeps)} sweeps.
      </p>
    </div>
  );
}
