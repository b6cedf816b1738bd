import { useId } from 'react';
import type { TreeOffer } from '../api/types';
import { NumberField } from '../components/NumberField';
import { ALGORITHMS, GENERATED, shapeOf, STARTS, ZIPF } from './definition';
import type { AlgorithmName, Definition } from './definition';
import { KernelFields } from './KernelFields';
import { TensorFields } from './TensorFields';

interface Props {
  readonly definition: Definition;
  readonly busy: boolean;
  readonly offers: readonly TreeOffer[];
  readonly onChange: (definition: Definition) => void;
  readonly onRun: (fresh: boolean) => void;
  readonly onStop: () => void;
  readonly onCancel: () => void;
}

/** The tensor and the parameters, and what may be done with them now. */
export function DefinitionForm({ definition, busy, offers, onChange, onRun, onStop, onCancel }: Props) {
  const id = useId();
  const set = (change: Partial<Definition>): void => onChange({ ...definition, ...change });
  const made = definition.tensor === GENERATED || definition.tensor === ZIPF;
  const wrong = made && shapeOf(definition.shape) === null;
  return (
    <form
      aria-label="Definition"
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy && !wrong) onRun(false);
      }}
    >
      <div className="algorithm-form">
        <span className="field">
          <label htmlFor={`${id}-algorithm`}>Algorithm</label>
          <select
            id={`${id}-algorithm`}
            value={definition.algorithm}
            onChange={(event) => set({ algorithm: event.target.value as AlgorithmName })}
          >
            {Object.entries(ALGORITHMS).map(([name, title]) => (
              <option key={name} value={name}>
                {title}
              </option>
            ))}
          </select>
        </span>
        <TensorFields definition={definition} set={set} />
        <NumberField
          label="Rank"
          integer
          minimum={1}
          maximum={4096}
          value={definition.rank}
          onChange={(rank) => set({ rank: rank ?? 1 })}
        />
        <NumberField
          label="Sweeps at most"
          integer
          minimum={1}
          maximum={10000}
          value={definition.sweeps}
          onChange={(sweeps) => set({ sweeps: sweeps ?? 1 })}
        />
        <NumberField
          label={definition.algorithm === 'cp-apr' ? 'Tolerance of the conditions' : 'Tolerance of the fit'}
          minimum={0}
          value={definition.tolerance}
          onChange={(tolerance) => set({ tolerance: tolerance ?? 0 })}
        />
        <span className="field">
          <label htmlFor={`${id}-start`}>Start</label>
          <select id={`${id}-start`} value={definition.start} onChange={(event) => set({ start: event.target.value })}>
            {Object.entries(STARTS).map(([kind, title]) => (
              <option key={kind} value={kind} disabled={definition.algorithm === 'cp-apr' && kind !== 'uniform'}>
                {title}
              </option>
            ))}
            {!(definition.start in STARTS) && <option value={definition.start}>As in the document</option>}
          </select>
        </span>
        <NumberField
          label="Seed of the start"
          integer
          minimum={0}
          value={definition.seed}
          onChange={(seed) => set({ seed: seed ?? 0 })}
        />
      </div>
      <KernelFields definition={definition} offers={offers} set={set} />
      <div className="algorithm-actions">
        <button type="submit" className="button primary" disabled={busy || wrong}>
          Run
        </button>
        <button type="button" className="button" disabled={busy || wrong} onClick={() => onRun(true)}>
          Run again
        </button>
        <button type="button" className="button" disabled={!busy} title="Keeps what is there" onClick={onStop}>
          Stop
        </button>
        <button type="button" className="button quiet" disabled={!busy} title="Keeps nothing" onClick={onCancel}>
          Cancel
        </button>
      </div>
    </form>
  );
}
