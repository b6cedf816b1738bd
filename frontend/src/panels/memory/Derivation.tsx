import type { MemoryView } from '../../api/types';
import { useSelect, useStore } from '../../state/store';
import { startsOf, strategyIn, withStrategy } from './layout';

const STRATEGIES = [
  ['auto', 'closed where a rule applies, else memo'],
  ['closed', 'a formula'],
  ['memo', 'added up once, before the kernel runs'],
  ['loop', 'added up in a loop for each row'],
] as const;

/** How the sum of lengths in an address disappears, rule by rule, and what each way of finding it costs. */
export function Derivation({ view, lengths }: { readonly view: MemoryView; readonly lengths: readonly number[] }) {
  const store = useStore();
  const schedule = useSelect((state) => state.draft.schedule);
  const { closed } = view.additions;
  const takes = view.strategy === 'auto' ? (closed === null ? 'memo' : 'closed') : view.strategy;
  const n = lengths.length;
  return (
    <section className="memory-sum" aria-label="The sum in the address">
      <h3>The sum in the address</h3>
      <p>
        Row <code>{view.variable}</code> begins at <code>{view.sum}</code>.
      </p>
      <ol className="memory-steps" aria-label="Derivation">
        {view.steps.map((step, number) => (
          <li key={number} data-rule={step.rule}>
            <strong>{step.rule}</strong> <span className="muted">{step.why}</span>
            <br />
            <code>{step.before}</code> = <code>{step.after}</code>
          </li>
        ))}
      </ol>
      <p>
        {closed === null ? (
          'No rule removes this sum.'
        ) : (
          <>
            Closed: <code>{view.start}</code>, with nothing left to add up.
          </>
        )}
      </p>
      <fieldset className="memory-strategies">
        <legend>How it is found</legend>
        {STRATEGIES.map(([name, what]) => (
          <label key={name}>
            <input
              type="radio"
              name="sum-strategy"
              checked={strategyIn(schedule, view.name) === name}
              onChange={() => store.update({ kind: 'schedule', text: withStrategy(schedule, view.name, name) })}
            />
            {` ${name} `}
            <span className="muted">{what}</span>
          </label>
        ))}
      </fieldset>
      <table aria-label="Additions">
        <caption>{`Additions for the starts of all ${n} rows`}</caption>
        <tbody>
          <tr data-strategy="loop" aria-current={takes === 'loop' || (takes === 'closed' && closed === null)}>
            <th scope="row">loop</th>
            <td>n(n − 1)/2</td>
            <td>{(n * (n - 1)) / 2}</td>
          </tr>
          <tr data-strategy="memo" aria-current={takes === 'memo'}>
            <th scope="row">memo</th>
            <td>n</td>
            <td>{n}</td>
          </tr>
          <tr data-strategy="closed" aria-current={takes === 'closed' && closed !== null}>
            <th scope="row">closed</th>
            <td>{closed === null ? 'as loop' : '0'}</td>
            <td>{closed ?? (n * (n - 1)) / 2}</td>
          </tr>
        </tbody>
      </table>
      {takes === 'memo' && (
        <p className="memory-reveal" role="note">
          {`The runtime adds each length up once and hands the kernel ${view.name}_start = `}
          <code>{startsOf(lengths).join(' ')}</code>. A prefix sum of the lengths of rows: these are the offsets of CSR.
        </p>
      )}
    </section>
  );
}
