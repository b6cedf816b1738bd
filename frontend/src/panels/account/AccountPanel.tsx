import { useId, useMemo, useState } from 'react';
import type { AccountView, CompileView, ExplanationView, FixView } from '../../api/types';
import { DataPicker } from '../../components/data/DataPicker';
import { DiagnosticList } from '../../components/DiagnosticList';
import { Explained } from '../../components/Term';
import { canonicalJson, toPlan } from '../../plan/plan';
import { dataName } from '../../state/data/example-data';
import type { ExampleData } from '../../state/data/example-data';
import { useCountableData } from '../../components/data/use-followed-input';
import { useSelect, useStore } from '../../state/store';
import type { State } from '../../state/store';
import { formatCount } from '../../text/quantities';
import { runFacts } from '../../viz/account/measured';
import type { RunFacts } from '../../viz/account/measured';
import { BeforeAfter } from './BeforeAfter';
import { Position } from './Position';
import { Shares } from './Shares';
import { Traffic } from './Traffic';
import { earlierPlan } from './earlier-plan';
import { useExplanation } from './use-explanation';
import './account.css';

type Beside = 'unscheduled' | 'earlier';

/** Why a plan is fast or slow: it beside another in one picture and one sentence, then what costs time, then counts. */
export default function AccountPanel({ result }: { readonly result: CompileView }) {
  const store = useStore();
  const id = useId();
  const draft = useSelect((state) => state.draft);
  const past = useSelect((state) => state.history.past);
  const opened = useSelect((state) => state.opened);
  const earlier = useMemo(() => earlierPlan(past, draft, opened), [past, draft, opened]);
  const [wished, setWished] = useState<Beside>('earlier');
  const beside = earlier === null ? 'unscheduled' : draft.schedule.trim() === '' ? 'earlier' : wished;
  useCountableData(result);
  const { view, data, reason, loading } = useExplanation(result, beside === 'earlier' ? earlier : null);
  const account = view?.account ?? null;
  return (
    <section className="account-panel" aria-label="Why is it fast?" aria-busy={loading}>
      <div className="account-choices">
        <DataPicker result={result} alone />
        {earlier !== null && draft.schedule.trim() !== '' && (
          <span className="data-picker">
            <label htmlFor={id}>Beside</label>
            <select id={id} value={beside} onChange={(event) => setWished(event.target.value as Beside)}>
              <option value="unscheduled">no schedule</option>
              <option value="earlier">the plan before</option>
            </select>
          </span>
        )}
      </div>
      {reason !== null && <p className="panel-message">{reason}</p>}
      {view === null && reason === null && <p className="panel-message muted">Counting …</p>}
      {view !== null && account !== null && (
        <>
          <DiagnosticList
            label="Why nothing was counted"
            diagnostics={view.diagnostics}
            onFix={(fix) => store.update({ kind: 'fix', fix })}
          />
          {account.fault !== null && <p className="panel-message">The run ended early: {account.fault}</p>}
          {account.operands.length > 0 && <Data view={view} data={data} />}
          {account.work !== null && account.fault === null && <Account view={view} />}
        </>
      )}
    </section>
  );
}

/** What was counted on: the data that every panel shows, and which part of it. */
function Data({ view, data }: { readonly view: ExplanationView; readonly data: ExampleData }) {
  const shapes = view.account.operands.map(({ tensor, shape, nonzeros }) => {
    const cells = shape.reduce((product, size) => product * size, 1);
    const filled = nonzeros < cells ? ` with ${formatCount(nonzeros)} entries` : '';
    return shape.length === 0 ? tensor : `${tensor}: ${shape.join(' × ')}${filled}`;
  });
  const name =
    view.counted_on === 'operands'
      ? dataName(data)
      : view.counted_on === 'copy'
        ? view.part
        : dataName({ title: data.title, part: view.part === 'all of it' ? '' : view.part });
  return (
    <p className="caption muted">
      Counted on {name} ({shapes.join('; ')}), not timed.
    </p>
  );
}

function Account({ view }: { readonly view: ExplanationView }) {
  const store = useStore();
  const { work, sharing, roofline, traffic, findings } = view.account;
  const open = useSelect((state) => state.view.counts);
  const run = useSelect((state) => state.run.view);
  const measured = useSelect(isOfThisPlan);
  const facts = useMemo(() => (measured && run?.result ? runFacts(run.result) : null), [measured, run]);
  return (
    <>
      <BeforeAfter view={view} />
      <Findings findings={findings} facts={facts} />
      <details
        className="account-counts-of"
        open={open}
        onToggle={(event) => store.look({ counts: event.currentTarget.open })}
      >
        <summary>All counts</summary>
        {work !== null && <Work work={work} />}
        <Traffic traffic={traffic} />
        {sharing !== null && <Shares sharing={sharing} />}
        {roofline !== null && <Position roofline={roofline} facts={facts} />}
      </details>
    </>
  );
}

/** Whether the run that is known is of the plan that is open. */
const isOfThisPlan = ({ run, draft }: State): boolean =>
  run.view?.state === 'done' && canonicalJson(run.plan) === canonicalJson(toPlan(draft));

interface FindingsProps {
  readonly findings: AccountView['findings'];
  /** Of the run of this plan, where it has one. */
  readonly facts: RunFacts | null;
}

/** What costs something: what the run of this plan measured first, then what was counted, each with the repair that was tried. A lesson leaves repairs to the student. */
function Findings({ findings, facts }: FindingsProps) {
  const learning = useSelect((state) => state.lesson !== null);
  const said = facts !== null && (facts.statement !== null || facts.diagnosis !== null);
  return (
    <section className="account-part" aria-label="What costs time">
      <h3>What costs time</h3>
      {findings.length === 0 && facts === null && <p>The counts show nothing; a run says what they cannot.</p>}
      {findings.length === 0 && facts !== null && !said && <p>Neither the counts nor the run show anything.</p>}
      <ul className="account-findings">
        {facts !== null && said && (
          <li data-rule="run">
            <p>
              Measured: {facts.statement === null ? '' : `${facts.statement}. `}
              {facts.diagnosis !== null && <Explained>{facts.diagnosis.text}</Explained>}
            </p>
            {facts.slower && facts.diagnosis === null && <p>What is counted below does not explain that.</p>}
            {facts.diagnosis?.fix && !learning && <Repair fix={facts.diagnosis.fix} />}
          </li>
        )}
        {findings.map(({ rule, text, fix, gain }) => (
          <li key={rule} data-rule={rule}>
            <p>
              <span aria-hidden="true">⚠ </span>
              <Explained>{text}</Explained>
            </p>
            {fix !== null && !learning && <Repair fix={fix} gain={gain} />}
          </li>
        ))}
      </ul>
      {learning && findings.some(({ fix }) => fix !== null) && (
        <p className="caption muted">Repairs are left to you while a lesson is open.</p>
      )}
    </section>
  );
}

function Repair({ fix, gain = null }: { readonly fix: FixView; readonly gain?: string | null }) {
  const store = useStore();
  return (
    <p>
      <button type="button" className="button" onClick={() => store.update({ kind: 'fix', fix })}>
        {fix.title}
      </button>{' '}
      {gain !== null && <span className="caption">{gain}</span>}
    </p>
  );
}

function Work({ work }: { readonly work: NonNullable<AccountView['work']> }) {
  const { formula, value, counted, multiplications, iterations, merges, index_loads, zeroed } = work;
  const rows: readonly (readonly [string, number])[] = [
    ['multiplications', multiplications],
    ['iterations of loops', iterations],
    ['iterations that compare coordinates', merges],
    ['loads of coordinates and positions', index_loads],
    ['elements cleared', zeroed],
  ];
  return (
    <section className="account-part" aria-label="Work">
      <h3>Work</h3>
      {formula === null || value === null ? (
        <p>
          {formatCount(counted)} operations, counted. There is no formula where a format pads, stores blocks or is a sum
          of parts.
        </p>
      ) : (
        <p>
          <code>{formula}</code> = {formatCount(value)} operations; counted: {formatCount(counted)}
          {value === counted ? '.' : ', which is a defect in Heddle.'}
        </p>
      )}
      <ul className="account-counts">
        {rows.map(([name, count]) => (
          <li key={name}>
            <b>{formatCount(count)}</b> {name}
          </li>
        ))}
      </ul>
    </section>
  );
}
