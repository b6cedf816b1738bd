import type { EntryView, FixView, RunLaunch, RunResult } from '../../api/types';
import { launchedText } from '../../viz/gpu/launch-text';
import { describeMachine, streamBandwidth } from './describe-machine';
import {
  counted,
  formatBytes,
  formatCount,
  formatDate,
  formatInterval,
  formatNanoseconds,
  formatShare,
  threeDigits,
} from '../../text/quantities';
import { Explained } from '../../components/Term';

interface Props {
  readonly result: RunResult;
  readonly stored: boolean;
  /** Measures the same plan once more; not there where nothing can be run. */
  readonly onRepeat?: (() => void) | undefined;
  /** Applies a repair; not there where nothing can be changed. */
  readonly onFix?: ((fix: FixView) => void) | undefined;
}

/** The numbers of a run, never without the machine, the data and the spread. */
export function ResultView({ result, stored, onRepeat, onFix }: Props) {
  const { entries, verification, inputs, machine, threads, worker } = result;
  const control = result.control ?? null;
  const stream = streamBandwidth(machine, threads);
  const rounds = result.protocol.rounds;
  return (
    <div className="result">
      <p className="result-head">
        <Verified verification={verification} />
        <span className="muted"> {inputs.map(describeInput).join('; ')}</span>
      </p>
      <Noise conclusion={result.conclusion} onRepeat={onRepeat} />
      <Diagnosis diagnosis={result.diagnosis ?? null} onFix={onFix} />
      <div className="table-scroll" role="group" aria-label="Table of timings" tabIndex={0}>
        <table className="timings">
          <caption className="visually-hidden">Timings of this kernel and of the baselines</caption>
          <thead>
            <tr>
              <th scope="col">Kernel</th>
              <th scope="col">Median</th>
              <th scope="col">Time over Heddle’s</th>
              <th scope="col">Bandwidth</th>
            </tr>
          </thead>
          <tbody>
            {entries.map((entry) => (
              <Row key={entry.id} entry={entry} />
            ))}
          </tbody>
        </table>
      </div>
      <Preparations entries={entries} />
      <Notes entries={entries} />
      <Launched launches={result.launches ?? []} />
      <p className="caption muted">
        {stored ? 'Stored result of ' : 'Measured '}
        {formatDate(result.date)} with {counted(threads, 'thread')}
        {typeof rounds === 'number' ? `, ${rounds} rounds in random order` : ''}
        {result.protocol.brief === true ? ' (brief ones, because other runs were waiting)' : ''}; intervals are of the
        median, 95 %. {control === null ? '' : `A/A control: ${describeControl(control)}. `}
        {describeJudgement(result)}
        {formatBytes(result.bytes_moved)} moved at least (model)
        {stream === null ? '' : `; measured STREAM triad ${threeDigits(stream)} GB/s`}. Ran on{' '}
        {worker === undefined ? '' : `${worker}: `}
        {describeMachine(machine)}
        {machine.load === null ? '' : `; load ${threeDigits(machine.load)}`}.
      </p>
    </div>
  );
}

interface NoiseProps {
  readonly conclusion: RunResult['conclusion'];
  readonly onRepeat: Props['onRepeat'];
}

/** Says that nothing follows from the run, and why; the service decides that. */
function Noise({ conclusion, onRepeat }: NoiseProps) {
  if (conclusion?.noisy !== true) return null;
  return (
    <div className="result-noise" role="note">
      <p>
        <strong className="badge badge-bad">⚠ {conclusion.headline}</strong>{' '}
        <Explained>{conclusion.reasons.join(' ')}</Explained>
      </p>
      {onRepeat !== undefined && (
        <button type="button" className="button" onClick={onRepeat}>
          Repeat
        </button>
      )}
    </div>
  );
}

interface DiagnosisProps {
  readonly diagnosis: NonNullable<RunResult['diagnosis']> | null;
  readonly onFix: Props['onFix'];
}

/** What held the kernel back, as the service found it, and the repair with one click. */
function Diagnosis({ diagnosis, onFix }: DiagnosisProps) {
  if (diagnosis === null) return null;
  const { text, fix } = diagnosis;
  return (
    <div className="result-noise result-diagnosis" role="note" aria-label="Diagnosis">
      <p>
        <Explained>{text}</Explained>
      </p>
      {fix !== null && onFix !== undefined && (
        <button type="button" className="button" onClick={() => onFix(fix)}>
          {fix.title}
        </button>
      )}
    </div>
  );
}

/** By which rules the service judged; a result that is older than they are was judged when it was read. */
export function describeJudgement({ judged_by: rules, rejudged }: RunResult): string {
  if (rules === undefined) return '';
  return rejudged === true ? `Judged today, by rules ${rules}. ` : `Judged by rules ${rules}. `;
}

/** How far the protocol can be believed on this machine. */
export function describeControl({ value, low, high, resolution }: NonNullable<RunResult['control']>): string {
  const interval = `${value.toFixed(3)} (${low.toFixed(3)} – ${high.toFixed(3)})`;
  return `the same kernel timed twice has the ratio ${interval}; differences below ${formatShare(resolution)} are inconclusive`;
}

export function describeInput({ tensor, source, shape, nnz }: RunResult['inputs'][number]): string {
  if (shape.length === 0) return `${tensor}: ${source}, a scalar`;
  const sparse = nnz < shape.reduce((product, size) => product * size, 1);
  return `${tensor}: ${source}, ${shape.map(formatCount).join(' × ')}${sparse ? ` with ${counted(nnz, 'nonzero')}` : ''}`;
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

/** What each contender did once, outside of the timed region: it may outweigh the rest. */
function Preparations({ entries }: { readonly entries: readonly EntryView[] }) {
  const lines = entries
    .filter(({ preparation }) => preparation.length > 0)
    .map(({ label, preparation }) => {
      const parts = preparation.map(({ name, ns }) => `${name} ${formatNanoseconds(ns)}`);
      return `${label} ${parts.join(', ')}`;
    });
  if (lines.length === 0) return null;
  return <p className="caption">Prepared once, not timed above: {lines.join('; ')}.</p>;
}

function Notes({ entries }: { readonly entries: readonly EntryView[] }) {
  const notes = entries.flatMap(({ label, note }) => (note === null ? [] : [`${label}: ${note}`]));
  return notes.length === 0 ? null : <p className="caption">{notes.join(' ')}</p>;
}

/** What ran on the GPU: the kernel of the timings above, with its last launches. */
function Launched({ launches }: { readonly launches: readonly RunLaunch[] }) {
  return launches.length === 0 ? null : (
    <p className="caption">Launched {launches.map(launchedText).join('; then ')}.</p>
  );
}

const DASH = '–';

function Row({ entry }: { readonly entry: EntryView }) {
  if (!entry.available || entry.median_ns === null) {
    return (
      <tr>
        <th scope="row">{entry.label}</th>
        <td colSpan={3} className="muted left">
          Not available{entry.reason === null ? '' : `: ${entry.reason}`}
        </td>
      </tr>
    );
  }
  const { low_ns, high_ns, gigabytes_per_second, bandwidth_share } = entry;
  return (
    <tr>
      <th scope="row">{entry.label}</th>
      <td>
        {formatNanoseconds(entry.median_ns)}
        <span className="caption muted block">
          {low_ns === null || high_ns === null ? DASH : formatInterval(low_ns, high_ns)}
        </span>
      </td>
      <td>
        <Ratio entry={entry} />
      </td>
      <td>
        {gigabytes_per_second === null ? DASH : `${threeDigits(gigabytes_per_second)} GB/s`}
        {bandwidth_share !== null && (
          <span className="caption muted block">{formatShare(bandwidth_share)} of STREAM</span>
        )}
      </td>
    </tr>
  );
}

/** The ratio is the other's time over ours; the words say which of the two is the slower one. */
function Ratio({ entry }: { readonly entry: EntryView }) {
  const ratio = entry.ratio_to_heddle;
  if (ratio === null) return <>{DASH}</>;
  const { value, low, high, verdict, statement } = ratio;
  return (
    <>
      {threeDigits(value)} ×{' '}
      <span className="caption muted">
        {threeDigits(low)} – {threeDigits(high)}
      </span>
      <span className={`caption block verdict verdict-${verdict}`}>
        <span aria-hidden="true">{SIGNS[verdict]} </span>
        {statement}
      </span>
    </>
  );
}

const SIGNS = { faster: '▲', slower: '▼', inconclusive: '≈' } as const;
