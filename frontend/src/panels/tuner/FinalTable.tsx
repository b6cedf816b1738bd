import { formatNanoseconds } from '../../text/quantities';
import type { Final, Interval } from '../../viz/tuner/search-log';

interface Props {
  readonly final: Final;
  readonly onTake: (schedule: readonly string[], formats: Readonly<Record<string, string>>) => void;
}

const interval = ({ value, low, high }: Interval): string =>
  `${value.toFixed(2)} × (${low.toFixed(2)} to ${high.toFixed(2)})`;

const gainText = (gain: NonNullable<Final['gain']>): string =>
  gain.statement === undefined ? interval(gain) : `${interval(gain)}, ${gain.statement}`;

/** The comparison in turns at the end: what can be told apart, and what is tied. */
export function FinalTable({ final, onTake }: Props) {
  const sorted = [...final.entries].sort((left, right) => left.median - right.median);
  const { control, gain } = final;
  return (
    <section aria-label="Final comparison">
      <h3>The fastest, compared in turns</h3>
      <div className="table-scroll" role="group" aria-label="Final comparison" tabIndex={0}>
        <table className="tuner-final">
          <thead>
            <tr>
              <th scope="col">Schedule</th>
              <th scope="col">Median</th>
              <th scope="col">95 % interval</th>
              <th scope="col">Relative to the fastest found</th>
              <th scope="col">Editor</th>
            </tr>
          </thead>
          <tbody>
            {sorted.map((entry, place) => (
              <tr key={`${place}-${entry.label}`} className={entry.tie ? 'tied' : ''}>
                <th scope="row">{entry.label}</th>
                <td>{formatNanoseconds(entry.median)}</td>
                <td>
                  {formatNanoseconds(entry.low)} to {formatNanoseconds(entry.high)}
                </td>
                <td>
                  {interval(entry.ratio)}
                  <span className="caption block">{entry.statement ?? (entry.tie ? 'tied' : '')}</span>
                </td>
                <td>
                  {entry.plan !== null && (
                    <button
                      type="button"
                      className="button"
                      aria-label={`Take ${entry.label} into the editor`}
                      onClick={() => onTake(entry.schedule, entry.formats)}
                    >
                      Take
                    </button>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className="caption">
        {gain !== null && `The rules' schedule relative to the fastest found: ${gainText(gain)}. `}
        {control !== null &&
          `The same kernel twice (A/A): ${interval(control)}, ${control.quiet ? 'no difference' : 'an impossible difference: the machine was noisy'}.`}
      </p>
    </section>
  );
}
