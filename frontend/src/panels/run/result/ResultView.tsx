import type { ReactNode } from 'react';
import type { DatasetView, EntryView, FixView, RunLaunch, RunResult } from '../../../api/types';
import { useCatalog } from '../../../state/catalog';
import { Explained } from '../../../components/Term';
import { counted, formatBytes, formatCount, formatNanoseconds, threeDigits } from '../../../text/quantities';
import { launchedText } from '../../../viz/gpu/launch-text';
import { describeMachine } from '../machines/describe-machine';
import { Contenders } from './Contenders';
import {
  controlsInWords,
  describeControl,
  describeJudgement,
  flagsInWords,
  loadInWords,
  protocolInWords,
  roundsOf,
  streamInWords,
  wakingInWords,
} from './in-words';
import { Verdict } from './Verdict';

interface Props {
  readonly result: RunResult;
  readonly stored: boolean;
  /** Another run answered this one. */
  readonly reused?: boolean;
  /** Measures the same plan once more; not there where nothing can be run. */
  readonly onRepeat?: (() => void) | undefined;
  /** Applies a repair; not there where nothing can be changed. */
  readonly onFix?: ((fix: FixView) => void) | undefined;
  /** Its figures. */
  readonly children?: ReactNode;
}

/** The numbers of a run, never without the machine, the data and the spread. The verdict and the table come first. */
export function ResultView({ result, stored, reused = false, onRepeat, onFix, children }: Props) {
  const { entries, inputs } = result;
  const datasets = useCatalog((catalog) => catalog.datasets);
  return (
    <div className="result">
      <Verdict result={result} reused={reused} onRepeat={onRepeat} />
      <Contenders entries={entries} rounds={roundsOf(result)} />
      <Diagnosis diagnosis={result.diagnosis ?? null} onFix={onFix} />
      <p>
        <Verified verification={result.verification} />{' '}
        <span className="muted">{inputs.map((input) => describeInput(input, datasets)).join('; ')}</span>
      </p>
      {children}
      <details className="result-more">
        <summary>How it was measured</summary>
        <Flags entries={entries} rounds={roundsOf(result)} />
        <Preparations entries={entries} />
        <Notes entries={entries} />
        <Launched launches={result.launches ?? []} />
        <Measurement result={result} stored={stored} />
      </details>
    </div>
  );
}

/** Who did not have its cores. */
function Flags({ entries, rounds }: { readonly entries: readonly EntryView[]; readonly rounds: number | null }) {
  const lines = entries.map((entry) => flagsInWords(entry, rounds)).filter((line) => line !== '');
  return lines.length === 0 ? null : <p className="caption tone-warning">⚠ {lines.join('; ')}.</p>;
}

/** On what machine, when and how it was measured, and what was going on meanwhile. */
function Measurement({ result, stored }: Pick<Props, 'result' | 'stored'>) {
  const { machine, worker } = result;
  const facts = [
    `${formatBytes(result.bytes_moved)} moved at least (model)`,
    streamInWords(result),
    wakingInWords(result),
  ].filter((fact) => fact !== '');
  const quiet = [controlsInWords(result.entries), loadInWords(result.load)].filter((line) => line !== '');
  const control = result.control ?? null;
  return (
    <>
      <p className="caption muted">
        {protocolInWords(result, stored)} {control === null ? '' : `A/A control: ${describeControl(control)}. `}
        {describeJudgement(result)}
        {facts.join('; ')}. Ran on {worker === undefined ? '' : `${worker}: `}
        {describeMachine(machine)}
        {machine.load === null ? '' : `; load ${threeDigits(machine.load)}`}.
      </p>
      {quiet.map((line) => (
        <p key={line} className="caption muted">
          <Explained>{line}</Explained>
        </p>
      ))}
    </>
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
    <div className="result-diagnosis" role="note" aria-label="Diagnosis">
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

/** `datasets` are those that the service has: a file has its name. */
export function describeInput(
  { tensor, source: id, shape, nnz }: RunResult['inputs'][number],
  datasets: readonly Pick<DatasetView, 'id' | 'name'>[] = [],
): string {
  const source = sourceInWords(id, datasets);
  if (shape.length === 0) return `${tensor}: ${source}, a scalar`;
  const sparse = nnz < shape.reduce((product, size) => product * size, 1);
  return `${tensor}: ${source}, ${shape.map(formatCount).join(' × ')}${sparse ? ` with ${counted(nnz, 'nonzero')}` : ''}`;
}

const UPLOADED = /^upload (?<start>.+)…$/;

function sourceInWords(source: string, datasets: readonly Pick<DatasetView, 'id' | 'name'>[]): string {
  const start = UPLOADED.exec(source)?.groups?.start;
  const file = start === undefined ? undefined : datasets.find(({ id }) => id.startsWith(start));
  return file === undefined ? source : `file ${file.name}`;
}

function Verified({ verification }: { readonly verification: RunResult['verification'] }) {
  const { ok, reference, max_error, tolerance } = verification;
  const detail = `largest error ${max_error.toExponential(1)}, allowed ${tolerance.toExponential(1)}`;
  if (ok) {
    return (
      <span className="badge badge-good" tabIndex={0} data-tip={detail}>
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
