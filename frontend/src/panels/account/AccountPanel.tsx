import type { AccountView, CompileView } from '../../api/types';
import { DiagnosticList } from '../../components/DiagnosticList';
import { Explained } from '../../components/Term';
import { useSelect, useStore } from '../../state/store';
import { formatCount } from '../../text/quantities';
import { Position } from './Position';
import { Shares } from './Shares';
import { Traffic } from './Traffic';
import { useAccount } from './use-account';
import './account.css';

/** Why a plan is fast or slow: what one run on small data did, and what it cost. */
export default function AccountPanel({ result }: { readonly result: CompileView }) {
  const store = useStore();
  const { view, reason, loading } = useAccount(result);
  return (
    <section className="account-panel" aria-label="Why is it fast?" aria-busy={loading}>
      {reason !== null && <p className="panel-message">{reason}</p>}
      {view === null && reason === null && <p className="panel-message muted">Counting …</p>}
      {view !== null && (
        <>
          <DiagnosticList
            label="Why nothing was counted"
            diagnostics={view.diagnostics}
            onFix={(fix) => store.update({ kind: 'fix', fix })}
          />
          {view.fault !== null && <p className="panel-message">The run ended early: {view.fault}</p>}
          {view.operands.length > 0 && <Data view={view} />}
          {view.work !== null && view.fault === null && <Account view={view} />}
        </>
      )}
    </section>
  );
}

function Data({ view }: { readonly view: AccountView }) {
  const shapes = view.operands.map(({ tensor, shape, nonzeros }) => {
    const cells = shape.reduce((product, size) => product * size, 1);
    const filled = nonzeros < cells ? ` with ${formatCount(nonzeros)} entries` : '';
    return shape.length === 0 ? tensor : `${tensor}: ${shape.join(' × ')}${filled}`;
  });
  return (
    <p className="caption muted">
      Counted, not timed, in one checked run on {view.data} ({shapes.join('; ')}).
    </p>
  );
}

function Account({ view }: { readonly view: AccountView }) {
  const { work, sharing, roofline, traffic, findings } = view;
  return (
    <>
      <Findings findings={findings} />
      {work !== null && <Work work={work} />}
      <Traffic traffic={traffic} />
      {sharing !== null && <Shares sharing={sharing} />}
      {roofline !== null && <Position roofline={roofline} />}
    </>
  );
}

/** What costs something, each with the repair that was tried. A lesson leaves repairs to the student. */
function Findings({ findings }: { readonly findings: AccountView['findings'] }) {
  const store = useStore();
  const learning = useSelect((state) => state.lesson !== null);
  return (
    <section className="account-part" aria-label="What costs time">
      <h3>What costs time</h3>
      {findings.length === 0 && <p>None of Heddle’s rules found anything.</p>}
      <ul className="account-findings">
        {findings.map(({ rule, text, fix, gain }) => (
          <li key={rule} data-rule={rule}>
            <p>
              <span aria-hidden="true">⚠ </span>
              <Explained>{text}</Explained>
            </p>
            {fix !== null && !learning && (
              <p>
                <button type="button" className="button" onClick={() => store.update({ kind: 'fix', fix })}>
                  {fix.title}
                </button>{' '}
                <span className="caption">{gain}</span>
              </p>
            )}
          </li>
        ))}
      </ul>
      {learning && findings.some(({ fix }) => fix !== null) && (
        <p className="caption muted">Repairs are left to you while a lesson is open.</p>
      )}
    </section>
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
