import { useCallback, useId, useRef, useState } from 'react';
import { useDismiss } from '../../components/use-dismiss';
import { useCatalog } from '../../state/catalog';
import { compareWith, endComparison, swapPlans } from '../../state/comparison-actions';
import { NAME_LIMIT } from '../../state/comparison';
import type { Comparison } from '../../state/comparison';
import { PlanError, readPlan } from '../../plan/plan-reader';
import { useStore } from '../../state/store';
import { readLink } from './read-link';

/** Which two plans: their names, and another one to choose. */
export function CompareHead({ comparison }: { readonly comparison: Comparison }) {
  const store = useStore();
  const rename = (part: Partial<Comparison>): void => store.patch({ comparison: { ...comparison, ...part } });
  return (
    <div className="compare-head">
      <NameField label="Name of the other plan" value={comparison.name} onChange={(name) => rename({ name })} />
      <button
        type="button"
        className="button"
        title="The other plan opens in the editors, and this one takes its place"
        onClick={() => swapPlans(store)}
      >
        ⇄ Swap
      </button>
      <NameField label="Name of this plan" value={comparison.own} onChange={(own) => rename({ own })} />
      <ChooseOther />
      <span className="spacer" />
      <button type="button" className="button" onClick={() => endComparison(store)}>
        End comparison
      </button>
    </div>
  );
}

interface NameProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function NameField({ label, value, onChange }: NameProps) {
  return (
    <input
      className="compare-name"
      aria-label={label}
      title={label}
      value={value}
      maxLength={NAME_LIMIT}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

function ChooseOther() {
  const store = useStore();
  const id = useId();
  const examples = useCatalog((catalog) => catalog.examples);
  const [link, setLink] = useState('');
  const [problem, setProblem] = useState('');
  const [opened, setOpened] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const close = useCallback((by: 'escape' | 'outside' | 'choice') => {
    setOpened(false);
    if (by !== 'outside') button.current?.focus();
  }, []);
  useDismiss(box, opened, close);
  const choose = (value: string): void => {
    const { draft } = store.get();
    const example = examples[Number(value)];
    close('choice');
    if (value === 'now') compareWith(store, draft, 'Before');
    else if (value === 'bare') compareWith(store, { ...draft, schedule: '' }, 'No schedule');
    else if (example !== undefined) compareWith(store, readPlan(example.plan), example.title);
  };
  const open = async (): Promise<void> => {
    try {
      compareWith(store, await readLink(link), 'From a link');
      setProblem('');
      setLink('');
      close('choice');
    } catch (error) {
      if (!(error instanceof PlanError)) throw error;
      setProblem(error.message);
    }
  };
  return (
    <div className="compare-choose" ref={box}>
      <button ref={button} type="button" className="button" aria-expanded={opened} onClick={() => setOpened(!opened)}>
        Choose the other plan
      </button>
      {opened && (
        <div className="compare-choices">
          <label>
            Take{' '}
            <select value="" onChange={(event) => choose(event.target.value)}>
              <option value="">…</option>
              <option value="now">this plan as it is now</option>
              <option value="bare">this plan without a schedule</option>
              <optgroup label="Examples">
                {examples.map(({ title }, index) => (
                  <option key={title} value={index}>
                    {title}
                  </option>
                ))}
              </optgroup>
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
      )}
    </div>
  );
}
