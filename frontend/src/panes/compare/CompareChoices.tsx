import { useId, useState } from 'react';
import { PlanError, readPlan } from '../../plan/plan-reader';
import { useExamples } from '../../state/catalog';
import { compareWith } from '../../state/comparison-actions';
import { useSelect, useStore } from '../../state/store';
import { readLink } from './read-link';
import './compare-choices.css';

/** What the plan on the page can be compared with. */
export default function CompareChoices({ onChosen }: { readonly onChosen: () => void }) {
  const store = useStore();
  const id = useId();
  const examples = useExamples();
  const past = useSelect((state) => state.history.past);
  const schedule = useSelect((state) => state.draft.schedule);
  const [link, setLink] = useState('');
  const [problem, setProblem] = useState('');
  const choose = (value: string): void => {
    const { draft } = store.get();
    const example = examples[Number(value)];
    const before = past.at(-1);
    if (value === 'now') compareWith(store, draft, 'Before');
    else if (value === 'bare') compareWith(store, { ...draft, schedule: '' }, 'No schedule');
    else if (value === 'change' && before !== undefined) compareWith(store, before, 'Before the change');
    else if (example !== undefined) compareWith(store, readPlan(example.plan), example.title);
    onChosen();
  };
  const open = async (): Promise<void> => {
    try {
      compareWith(store, await readLink(link), 'From a link');
      onChosen();
    } catch (error) {
      if (!(error instanceof PlanError)) throw error;
      setProblem(error.message);
    }
  };
  return (
    <div className="compare-choices" role="group" aria-label="The other plan">
      <button type="button" className="button" disabled={schedule.trim() === ''} onClick={() => choose('bare')}>
        This plan without a schedule
      </button>
      <button type="button" className="button" disabled={past.length === 0} onClick={() => choose('change')}>
        The plan before the last change
      </button>
      <button type="button" className="button" onClick={() => choose('now')}>
        This plan as it is now, and change it then
      </button>
      <label>
        An example{' '}
        <select value="" onChange={(event) => choose(event.target.value)}>
          <option value="">…</option>
          {examples.map(({ title }, index) => (
            <option key={title} value={index}>
              {title}
            </option>
          ))}
        </select>
      </label>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void open();
        }}
      >
        <input
          className="code-input"
          aria-label="Link of the other plan"
          aria-describedby={problem === '' ? undefined : id}
          aria-invalid={problem !== ''}
          placeholder="or paste a link"
          value={link}
          onChange={(event) => setLink(event.target.value)}
        />
        <button type="submit" className="button">
          Open
        </button>
      </form>
      {problem !== '' && (
        <p id={id} role="alert" className="tone-error">
          {problem}
        </p>
      )}
    </div>
  );
}
