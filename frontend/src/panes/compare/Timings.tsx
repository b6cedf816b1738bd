import type { EntryView, RunResult, RunView } from '../../api/types';
import { formatBytes, formatInterval, formatNanoseconds, threeDigits } from '../../text/quantities';
import { formatDate } from '../../text/quantities';
import { describeInput } from '../../panels/run/ResultView';
import { describeMachine } from '../../panels/run/describe-machine';
import { faster } from './differences';
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
        <Verdict left={left} right={right} mine={mine} yours={yours} />
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
  ['Data', (run) => run?.result?.inputs.map(describeInput).join('; ') ?? '–'],
  ['Measured', (run) => (run?.result ? formatDate(run.result.date) : 'not on this machine')],
];

interface VerdictProps extends Omit<Props, 'measured'> {
  readonly mine: RunResult | null;
  readonly yours: RunResult | null;
}

/** Says only what two separate runs allow to say. */
function Verdict({ left, right, mine, yours }: VerdictProps) {
  const [one, other] = [interval(mine), interval(yours)];
  if (mine === null || yours === null || one === null || other === null) {
    return <span className="muted">To compare times, measure both plans on this machine.</span>;
  }
  if (dataOf(mine) !== dataOf(yours)) return <>The two runs had different data, so their times cannot be compared.</>;
  if ([mine, yours].some(({ conclusion }) => conclusion?.noisy)) {
    return <span className="verdict-inconclusive">≈ Noisy: not conclusive. Run both plans again, one by one.</span>;
  }
  const winner = faster(one, other);
  const quotient = Math.max(one.median, other.median) / Math.min(one.median, other.median);
  return (
    <>
      {winner === null ? (
        <span className="verdict-inconclusive">
          ≈ Inconclusive: the intervals of the two medians ({threeDigits(quotient)} × apart) overlap.
        </span>
      ) : (
        <>
          <strong>{winner === 'left' ? left.name : right.name}</strong> is {threeDigits(quotient)} × faster.
        </>
      )}{' '}
      <span className="caption muted">
        Medians with 95 % intervals of two separate runs, not interleaved, so differences of a few percent may come from
        the machine. {describeMachine(yours.machine)}.
      </span>
    </>
  );
}

const dataOf = (result: RunResult): string => JSON.stringify(result.inputs.map(describeInput));

function interval(result: RunResult | null) {
  const entry = entryOf(result, KERNEL);
  if (!entry || entry.median_ns === null || entry.low_ns === null || entry.high_ns === null) return null;
  return { median: entry.median_ns, low: entry.low_ns, high: entry.high_ns };
}
