import type { CSSProperties } from 'react';
import type { EntryView } from '../../../api/types';
import { formatInterval, formatNanoseconds, formatShare, threeDigits } from '../../../text/quantities';
import { flagsInWords } from './in-words';

interface Props {
  readonly entries: readonly EntryView[];
  readonly rounds: number | null;
}

const isTimed = ({ available, median_ns: median }: EntryView): boolean => available && median !== null;

/**
 * One line for each contender: its median with a bar, and how many times as long as Heddle it takes. Those without a
 * time come last, so that all times are in sight where there is little room.
 */
export function Contenders({ entries, rounds }: Props) {
  const rows = [...entries.filter(isTimed), ...entries.filter((entry) => !isTimed(entry))];
  const slowest = Math.max(...entries.map(({ median_ns: median }) => median ?? 0));
  return (
    <div className="table-scroll" role="group" aria-label="Table of timings" tabIndex={0}>
      <table className="timings">
        <caption className="visually-hidden">Timings of this kernel and of the baselines</caption>
        <thead>
          <tr>
            <th scope="col">Kernel</th>
            <th scope="col">Threads</th>
            <th scope="col">Median</th>
            <th scope="col">Time over Heddle’s</th>
            <th scope="col">Bandwidth</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((entry) => (
            <Row key={entry.id} entry={entry} slowest={slowest} flags={flagsInWords(entry, rounds)} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

const DASH = '–';

interface RowProps {
  readonly entry: EntryView;
  readonly slowest: number;
  /** Where it did not have its cores. */
  readonly flags: string;
}

/** Its name, and a sign where something speaks against its time; the sentence stands where the measurement is described. */
function Name({ label, flags }: { readonly label: string; readonly flags: string }) {
  return (
    <th scope="row">
      {label}
      {flags !== '' && (
        <span className="tone-warning" tabIndex={0} data-tip={flags}>
          {' '}
          <span aria-hidden="true">⚠</span>
          <span className="visually-hidden">({flags})</span>
        </span>
      )}
    </th>
  );
}

function Row({ entry, slowest, flags }: RowProps) {
  if (!entry.available || entry.median_ns === null) {
    return (
      <tr>
        <Name label={entry.label} flags="" />
        <td colSpan={4} className="muted left">
          Not available{entry.reason === null ? '' : `: ${entry.reason}`}
        </td>
      </tr>
    );
  }
  const { low_ns, high_ns, gigabytes_per_second, bandwidth_share, threads } = entry;
  const share = { '--share': `${((100 * entry.median_ns) / slowest).toFixed(1)}%` } as CSSProperties;
  return (
    <tr>
      <Name label={entry.label} flags={flags} />
      <td>{threads ?? DASH}</td>
      <td className="timing" style={share}>
        {formatNanoseconds(entry.median_ns)}{' '}
        <span className="caption muted">
          {low_ns === null || high_ns === null ? DASH : formatInterval(low_ns, high_ns)}
        </span>
      </td>
      <td>
        <Ratio entry={entry} />
      </td>
      <td>
        {gigabytes_per_second === null ? DASH : `${threeDigits(gigabytes_per_second)} GB/s`}{' '}
        {bandwidth_share !== null && (
          <span className="caption muted">
            {formatShare(bandwidth_share)}
            <span className="visually-hidden"> of STREAM</span>
          </span>
        )}
      </td>
    </tr>
  );
}

/** The ratio is the other's time over ours; the sign says which of the two is the slower one, and the words stand above. */
function Ratio({ entry }: { readonly entry: EntryView }) {
  const ratio = entry.ratio_to_heddle;
  if (ratio === null) return <>{DASH}</>;
  const { value, low, high, verdict, statement, doubt } = ratio;
  return (
    <span tabIndex={0} data-tip={doubt ?? statement}>
      <span aria-hidden="true" className={`verdict-${verdict}`}>
        {SIGNS[verdict]}
      </span>{' '}
      {threeDigits(value)} ×{' '}
      <span className="caption muted">
        {threeDigits(low)} – {threeDigits(high)}
      </span>
      <span className="visually-hidden">. {statement}</span>
    </span>
  );
}

const SIGNS = { faster: '▲', slower: '▼', inconclusive: '≈' } as const;
