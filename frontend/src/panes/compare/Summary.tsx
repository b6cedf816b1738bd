import { Prose } from '../../components/Prose';
import { linkId, useLinked } from '../../state/links';
import { sameResult } from '../../panels/filmstrip/frames';
import { commandPairs, sameOperands, settingsOf, workRows } from './differences';
import type { CommandPair } from './differences';
import { Outcome, Timings } from './Timings';
import { useMeasurements } from './use-measurements';
import type { Side } from './use-sides';

interface Props {
  readonly left: Side;
  readonly right: Side;
}

/** What it comes to, and what differs: settings, schedules, work on small operands, and timings. */
export default function Summary({ left, right }: Props) {
  const ready = left.view?.ok === true && right.view?.ok === true;
  const measured = useMeasurements(left.plan, right.plan, ready);
  return (
    <div className="compare-summary">
      <section className="compare-verdict" aria-label="Verdict">
        <Outcome left={left} right={right} measured={measured} ready={ready} />
        <p role="status" className="caption">
          <ResultWords left={left} right={right} />
        </p>
      </section>
      <Schedules left={left} right={right} />
      <Settings left={left} right={right} />
      <Work left={left} right={right} />
      <Timings left={left} right={right} measured={measured} />
    </div>
  );
}

function Heads({ left, right }: Props) {
  return (
    <>
      <th scope="col">{left.name}</th>
      <th scope="col">{right.name}</th>
    </>
  );
}

function Schedules({ left, right }: Props) {
  const pairs = commandPairs(left.draft, right.draft);
  return (
    <section aria-label="Schedules">
      <h3>Schedules</h3>
      {pairs.length === 0 ? (
        <p className="muted">Both plans have no schedule: the loops run in storage order.</p>
      ) : (
        <table className="compare-table compare-schedules">
          <thead>
            <tr>
              <Heads left={left} right={right} />
            </tr>
          </thead>
          <tbody>
            {pairs.map((pair, index) => (
              <CommandRow key={index} pair={pair} />
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

function CommandRow({ pair }: { readonly pair: CommandPair }) {
  const { left, right, command, same } = pair;
  return (
    <tr>
      <td className={left !== null && !same ? 'compare-removed' : undefined}>
        <Marked mark={left === null ? '' : same ? '=' : '−'} text={left} />
      </td>
      <td className={right !== null && !same ? 'compare-added' : undefined}>
        <Marked mark={right === null ? '' : same ? '=' : '+'} text={right} command={command} />
      </td>
    </tr>
  );
}

interface MarkedProps {
  readonly mark: string;
  readonly text: string | null;
  /** The command of the schedule on the page; the other plan's commands have no place there to light up. */
  readonly command?: number | null;
}

function Marked({ mark, text, command = null }: MarkedProps) {
  if (text === null) return <span className="visually-hidden">no command</span>;
  return (
    <>
      <span className="compare-mark">{mark} </span>
      {command === null ? <code>{text}</code> : <LinkedCommand text={text} command={command} />}
    </>
  );
}

function LinkedCommand({ text, command }: { readonly text: string; readonly command: number }) {
  const { pinned, props } = useLinked(linkId.command(command));
  return (
    <code {...props} role="button" tabIndex={0} aria-pressed={pinned}>
      {text}
    </code>
  );
}

function Settings({ left, right }: Props) {
  const settings = settingsOf(left.draft, right.draft);
  return (
    <section aria-label="Everything else">
      <h3>Everything else</h3>
      {settings.length === 0 ? (
        <p className="muted">The same expression, formats, target, data and way of measuring.</p>
      ) : (
        <table className="compare-table">
          <thead>
            <tr>
              <th scope="col">What differs</th>
              <Heads left={left} right={right} />
            </tr>
          </thead>
          <tbody>
            {settings.map((setting) => (
              <tr key={setting.name}>
                <th scope="row">{setting.name}</th>
                <td>
                  <code>{setting.left}</code>
                </td>
                <td>
                  <code>{setting.right}</code>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

function Work({ left, right }: Props) {
  const rows = workRows(left.trace, right.trace);
  return (
    <section aria-label="Work on small operands">
      <h3>Work on small operands</h3>
      <table className="compare-table compare-numbers">
        <thead>
          <tr>
            <th scope="col">The interpreter counts</th>
            <Heads left={left} right={right} />
            <th scope="col">Change</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.name}>
              <th scope="row">{row.name}</th>
              <td>{row.left ?? '–'}</td>
              <td>{row.right ?? '–'}</td>
              <td>{row.left === null || row.right === null ? '–' : changeText(row.right - row.left)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

const changeText = (change: number): string => (change === 0 ? '0' : `${change > 0 ? '+' : '−'}${Math.abs(change)}`);

function ResultWords({ left, right }: Props) {
  if (!left.trace?.ok || !right.trace?.ok) return null;
  if (!sameOperands(left.trace, right.trace)) {
    return <>The two kernels ran on different operands, so the counts do not tell which does less work.</>;
  }
  if (left.draft.expression.replace(/\s/g, '') !== right.draft.expression.replace(/\s/g, '')) {
    return <>Both kernels ran on the same operands, and compute different expressions.</>;
  }
  const same = sameResult(left.trace, right.trace);
  if (same === true) return <span className="tone-success">✓ same operands, same result</span>;
  if (same === false) {
    return (
      <span className="tone-error">
        ✕ <Prose text="same operands, different results: please report these plans" />
      </span>
    );
  }
  return null;
}
