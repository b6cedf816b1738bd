import type { CompileView, DiagnosticView, RangesView, RoundView, StatementRangesView } from '../../api/types';
import { useSelect, useStore } from '../../state/store';
import { NumberLinePicture } from './NumberLinePicture';
import './ranges.css';

/** How the ranges of a comprehension's index variables follow from what it reads, round by round. */
export default function RangesPanel({ result }: { readonly result: CompileView }) {
  // A text that does not compile has ranges, too, as far as they follow; what other panels draw is older.
  const latest = useSelect((state) => state.compile.result) ?? result;
  const { ranges } = latest;
  const wrong = latest.diagnostics.filter(({ severity, code }) => severity === 'error' && code.startsWith('tc/'));
  return (
    <section className="ranges-panel" aria-label="Ranges">
      {ranges === null ? (
        <p className="panel-message muted">The ranges appear once every name is defined.</p>
      ) : (
        <>
          <Sizes ranges={ranges} />
          {ranges.statements.map((statement) => (
            <Statement key={statement.number} statement={statement} />
          ))}
        </>
      )}
      <Wrong diagnostics={wrong} />
      {ranges !== null && ranges.complete && <Answers ranges={ranges} />}
    </section>
  );
}

function Sizes({ ranges }: { readonly ranges: RangesView }) {
  const text = (example: boolean) =>
    ranges.sizes.flatMap((size) => (size.example === example ? [`${size.name} = ${size.value}`] : [])).join(', ');
  const [fixed, examples] = [text(false), text(true)];
  if (fixed === '' && examples === '') return null;
  return (
    <p className="caption muted">
      {fixed !== '' && `The plan fixes ${fixed}. `}
      {examples !== '' && `Numbers are examples, for ${examples}; what follows holds for all sizes.`}
    </p>
  );
}

function Statement({ statement }: { readonly statement: StatementRangesView }) {
  const name = `Statement ${statement.number + 1}`;
  return (
    <section className="ranges-statement" aria-label={name}>
      <h3>
        {name} <code>{statement.text}</code>
      </h3>
      <div
        className="ranges-scroll"
        role="region"
        aria-label={`Rounds of statement ${statement.number + 1}`}
        tabIndex={0}
      >
        <table>
          <thead>
            <tr>
              <th scope="col">Round</th>
              <th scope="col">Because of</th>
              <th scope="col">Constraint</th>
              <th scope="col">Worst case over</th>
              <th scope="col">Range</th>
              <th scope="col">In numbers</th>
            </tr>
          </thead>
          <tbody>
            {statement.rounds.map((round, number) => (
              <tr key={number} data-round={round.number} data-variable={round.variable}>
                <td>{round.number === 0 ? 'given' : round.number}</td>
                <td>{round.how === 'access' ? <code>{round.access}</code> : because(round)}</td>
                <td>{round.constraint !== '' && <code>{round.constraint}</code>}</td>
                <td>{round.eliminated.length > 0 && <code>{round.eliminated.join(', ')}</code>}</td>
                <td>
                  <code>{`${round.variable} in ${round.interval}`}</code>
                </td>
                <td>{numbers(round.start, round.end)}</td>
              </tr>
            ))}
          </tbody>
        </table>
        <NumberLinePicture statement={statement} />
      </div>
      <ul className="ranges-answers" aria-label={`Ranges of statement ${statement.number + 1}`}>
        {statement.variables.map(({ name: variable, interval, reduced, start, end }) => (
          <li key={variable} data-variable={variable}>
            {reduced && (
              <span tabIndex={0} data-tip="Reduced: it appears only on the right">
                Σ{' '}
              </span>
            )}
            {interval === null ? (
              <>
                <code>{variable}</code> <strong>no range follows</strong>
              </>
            ) : (
              <>
                <code>{`${variable} in ${interval}`}</code> <span className="muted">{numbers(start, end)}</span>
              </>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** What held a variable, where that is no access. */
function because({ how, access }: RoundView): string {
  switch (how) {
    case 'where':
      return 'its where';
    case 'earlier':
      return `the statement before, ${access}`;
    case 'later':
      return `the next statement, ${access}`;
    case 'passed':
      return `what is passed for ${access}`;
    case 'declared':
      return `the type of ${access}`;
    case 'access':
      return access;
  }
}

function numbers(start: number | null, end: number | null): string {
  if (start === null || end === null) return '';
  return end > start ? `${start} … ${end - 1}` : 'none';
}

/** What is wrong, with the range that would help. */
function Wrong({ diagnostics }: { readonly diagnostics: readonly DiagnosticView[] }) {
  const store = useStore();
  if (diagnostics.length === 0) return null;
  return (
    <section className="ranges-wrong" aria-label="What is missing">
      <h3>What is missing</h3>
      <ul>
        {diagnostics.map(({ code, message, hint, fixes }, number) => (
          <li key={number} data-code={code}>
            <p>{message}</p>
            {hint !== null && <p className="muted">{hint}</p>}
            {fixes.map((fix) => (
              <button
                type="button"
                key={fix.title}
                className="button"
                onClick={() => store.update({ kind: 'fix', fix })}
              >
                {fix.title}
              </button>
            ))}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Answers({ ranges }: { readonly ranges: RangesView }) {
  return (
    <>
      <section className="ranges-results" aria-label="Results">
        <h3>Results</h3>
        <ul>
          {ranges.results.map(({ name, dimensions }) => (
            <li key={name}>
              <code>{dimensions.length === 0 ? name : `${name}(${dimensions.join(', ')})`}</code>
            </li>
          ))}
        </ul>
      </section>
      <section className="ranges-checks" aria-label="Checked at each call">
        <h3>Checked at each call</h3>
        {ranges.checks.length === 0 ? (
          <p className="muted">Nothing: every read is proved to stay inside its tensor for all sizes.</p>
        ) : (
          <ul>
            {ranges.checks.map(({ statement, what, why }, number) => (
              <li key={number}>
                <code>{what}</code>
                <span className="muted">{` ${statement === null ? '' : `statement ${statement + 1}: `}${why}`}</span>
              </li>
            ))}
          </ul>
        )}
      </section>
    </>
  );
}
