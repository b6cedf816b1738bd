import type { EntryView, RunResult, RunView } from '../../api/types';
import { formatBytes, formatInterval, formatNanoseconds } from '../../text/quantities';
import { formatDate } from '../../text/quantities';
import { describeInput } from '../../panels/run/result/ResultView';
import { describeMachine } from '../../panels/run/machines/describe-machine';
import { getRunsVerdict } from '../../api/client';
import { useAnswer } from './use-answer';
import type { Measurements } from './use-measurements';
import type { Side } from './use-sides';

interface Props {
  readonly left: Side;
  readonly right: Side;
  readonly measured: Measurements;
}

/** Which plan is faster, as far as this machine has measured both; and a way to measure what is missing. */
export function Outcome({ left, right, measured, ready }: Props & { readonly ready: boolean }) {
  const { runs, words, busy, measure } = measured;
  const [mine, yours] = [runs[0]?.result ?? null, runs[1]?.result ?? null];
  return (
    <>
      <p>
        <Verdict left={left} right={right} runs={runs} />
      </p>
      <p className="compare-measure">
        {(mine === null || yours === null) && (
          <button type="button" className="button" disabled={busy || !ready} onClick={measure}>
            Measure what is missing
          </button>
        )}
        <span role="status" className="muted">
          {words}
        </span>
      </p>
    </>
  );
}

/** What this machine has measured of both plans. */
export function Timings({ left, right, measured: { runs } }: Props) {
  const [mine, yours] = [runs[0]?.result ?? null, runs[1]?.result ?? null];
  return (
    <section aria-label="Timings">
      <h3>Timings</h3>
      <table className="compare-table compare-numbers">
        <thead>
          <tr>
            <th scope="col">On the chosen data</th>
            <th scope="col">{left.name}</th>
            <th scope="col">{right.name}</th>
          </tr>
        </thead>
        <tbody>
          {contenders(mine, yours).map(({ id, label }) => (
            <tr key={id}>
              <th scope="row">{label}</th>
              <Time entry={entryOf(mine, id)} />
              <Time entry={entryOf(yours, id)} />
            </tr>
          ))}
          {FACTS.map(([name, text]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{text(runs[0])}</td>
              <td>{text(runs[1])}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

const KERNEL = 'heddle';
type Contender = Pick<EntryView, 'id' | 'label'>;

function contenders(...results: readonly (RunResult | null)[]): Contender[] {
  const found = new Map<Contender['id'], string>([[KERNEL, 'Kernel of the plan']]);
  for (const result of results) {
    for (const { id, label } of result?.entries ?? []) if (!found.has(id)) found.set(id, label);
  }
  return [...found].map(([id, label]) => ({ id, label }));
}

const entryOf = (result: RunResult | null, id: string): EntryView | undefined =>
  result?.entries.find((entry) => entry.id === id);

function Time({ entry }: { readonly entry: EntryView | undefined }) {
  if (entry?.median_ns === undefined || entry.median_ns === null) return <td>–</td>;
  const { median_ns, low_ns, high_ns } = entry;
  return (
    <td>
      {formatNanoseconds(median_ns)}
      {low_ns !== null && high_ns !== null && (
        <span className="caption muted block">{formatInterval(low_ns, high_ns)}</span>
      )}
    </td>
  );
}

const FACTS: readonly (readonly [name: string, text: (run: RunView | null) => string])[] = [
  ['Moved at least (model)', (run) => (run?.result ? formatBytes(run.result.bytes_moved) : '–')],
  ['Threads', (run) => (run?.result ? String(run.result.threads) : '–')],
  ['Data', (run) => run?.result?.inputs.map((input) => describeInput(input)).join('; ') ?? '–'],
  ['Measured', (run) => (run?.result ? formatDate(run.result.date) : 'not on this machine')],
];

interface VerdictProps extends Omit<Props, 'measured'> {
  readonly runs: Measurements['runs'];
}

/** What the service judges of two separate runs. */
function Verdict({ left, right, runs: [mine, yours] }: VerdictProps) {
  const key = mine === null || yours === null ? null : `${mine.id} ${yours.id}`;
  const { value, problem } = useAnswer(key, (signal) => getRunsVerdict([mine?.id ?? '', yours?.id ?? ''], signal));
  if (mine === null || yours === null) {
    return <span className="muted">To compare times, measure both plans on this machine.</span>;
  }
  if (value === null) return <span className="muted">{problem ?? 'Comparing …'}</span>;
  if (value.slower === null) return <span className="verdict-inconclusive">≈ {value.statement}</span>;
  const [slow, quick] = value.slower === 0 ? [left, right] : [right, left];
  return (
    <>
      <strong>{quick.name}</strong> is faster: {slow.name} takes {value.times}.{' '}
      <span className="caption muted">
        By the medians of two separate runs, which did not take turns.
        {yours.result ? ` ${describeMachine(yours.result.machine)}.` : ''}
      </span>
    </>
  );
}
