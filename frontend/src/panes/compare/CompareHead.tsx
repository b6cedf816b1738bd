import { useCallback, useRef, useState } from 'react';
import { useDismiss } from '../../components/use-dismiss';
import { endComparison, swapPlans } from '../../state/comparison-actions';
import { NAME_LIMIT } from '../../state/plans/comparison';
import type { Comparison } from '../../state/plans/comparison';
import { useStore } from '../../state/store';
import CompareChoices from './CompareChoices';

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
        data-tip="The other plan opens in the editors, and this one takes its place"
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
      data-tip={label}
      value={value}
      maxLength={NAME_LIMIT}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

function ChooseOther() {
  const [opened, setOpened] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const close = useCallback((by: 'escape' | 'outside' | 'choice') => {
    setOpened(false);
    if (by !== 'outside') button.current?.focus();
  }, []);
  useDismiss(box, opened, close);
  return (
    <div className="compare-choose" ref={box}>
      <button ref={button} type="button" className="button" aria-expanded={opened} onClick={() => setOpened(!opened)}>
        Choose the other plan
      </button>
      {opened && <CompareChoices onChosen={() => close('choice')} />}
    </div>
  );
}
