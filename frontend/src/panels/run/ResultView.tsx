import type { EntryView, RunResult } from '../../api/types';
import { describeMachine, streamBandwidth } from './describe-machine';
import { formatBytes, formatCount, formatInterval, formatNanoseconds, formatShare, threeDigits } from './quantities';

interface Props {
  readonly result: RunResult;
  readonly stored: boolean;
}

/** The numbers of a run, never without the machine, the data and the spread. */
export function ResultView({ result, stored }: Props) {
  const { entries, verification, inputs, machine, threads } = result;
  const stream = streamBandwidth(machine, threads);
  const rounds = result.protocol.rounds;
  return (
    <div className="result">
      <p className="result-head">
        <Verified verification={verification} />
        <span className="muted">
          {' '}
          {inputs
            .map(
              ({ tensor, source, shape, nnz }) =>
                `${tensor}: ${source} (${shape.join(' × ') || 'scalar'}, ${formatCount(nnz)} nonzeros)`,
            )
            .join('; ')}
        </span>
      </p>
      <div className="table-scroll" role="group" aria-label="Table of timings" tabIndex={0}>
        <table className="timings">
          <caption className="visually-hidden">Timings of this kernel and of the baselines</caption>
          <thead>
            <tr>
              <th scope="col">Kernel</th>
              <th scope="col">Median</th>
              <th scope="col">95 % interval</th>
              <th scope="col">GB/s</th>
              <th scope="col">of STREAM</th>
              <th scope="col">Time against this kernel</th>
              <th scope="col">Preparation, once</th>
            </tr>
          </thead>
          <tbody>
            {entries.map((entry) => (
              <Row key={entry.id} entry={entry} />
            ))}
          </tbody>
        </table>
      </div>
      <p className="caption muted">
        {stored ? 'Stored result of ' : 'Measured '}
        {formatDate(result.date)} with {threads} {threads === 1 ? 'thread' : 'threads'}
        {typeof rounds === 'number' ? `, ${rounds} rounds in random order` : ''}. {formatBytes(result.bytes_moved)}{' '}
        moved at least (a model)
        {stream === null ? '' : `; measured STREAM triad ${threeDigits(stream)} GB/s`}. {describeMachine(machine)}
        {machine.load === null ? '' : `; load ${threeDigits(machine.load)}`}.
      </p>
    </div>
  );
}

function Verified({ verification }: { readonly verification: RunResult['verification'] }) {
  const { ok, reference, max_error, tolerance } = verification;
  const detail = `largest error ${max_error.toExponential(1)}, allowed ${tolerance.toExponential(1)}`;
  if (ok) {
    return (
      <span className="badge badge-good" title={detail}>
        ✓ Verified against {reference}
      </span>
    );
  }
  return (
    <span className="badge badge-bad">
      ✕ Wrong result against {reference}: {detail}
    </span>
  );
}

const DASH = '–';

function Row({ entry }: { readonly entry: EntryView }) {
  if (!entry.available || entry.median_ns === null) {
    return (
      <tr>
        <th scope="row">{entry.label}</th>
        <td colSpan={6} className="muted left">
          Not available{entry.reason === null ? '' : `: ${entry.reason}`}
        </td>
      </tr>
    );
  }
  const { low_ns, high_ns, gigabytes_per_second, bandwidth_share, preparation } = entry;
  return (
    <tr>
      <th scope="row">
        {entry.label}
        {entry.note !== null && <span className="caption muted block">{entry.note}</span>}
      </th>
      <td>{formatNanoseconds(entry.median_ns)}</td>
      <td className="muted">{low_ns === null || high_ns === null ? DASH : formatInterval(low_ns, high_ns)}</td>
      <td>{gigabytes_per_second === null ? DASH : threeDigits(gigabytes_per_second)}</td>
      <td>{bandwidth_share === null ? DASH : formatShare(bandwidth_share)}</td>
      <td>
        <Ratio entry={entry} />
      </td>
      <td className="muted left">
        {preparation.length === 0
          ? DASH
          : preparation.map(({ name, ns }) => `${name} ${formatNanoseconds(ns)}`).join(', ')}
      </td>
    </tr>
  );
}

/** The ratio is the other's time over ours: above 1, this kernel is faster. */
function Ratio({ entry }: { readonly entry: EntryView }) {
  const ratio = entry.ratio_to_heddle;
  if (ratio === null) return <>{DASH}</>;
  const { value, low, high, verdict } = ratio;
  return (
    <span title={`95 % interval ${threeDigits(low)} to ${threeDigits(high)}`}>
      {threeDigits(value)} ×{' '}
      <span className="muted">
        [{threeDigits(low)}, {threeDigits(high)}]
      </span>{' '}
      <span className={`verdict verdict-${verdict}`}>{VERDICTS[verdict]}</span>
    </span>
  );
}

const VERDICTS = { faster: '▲ faster', slower: '▼ slower', inconclusive: '≈ inconclusive' } as const;

export function formatDate(text: string): string {
  const date = new Date(text);
  if (Number.isNaN(date.getTime())) return text;
  return `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
