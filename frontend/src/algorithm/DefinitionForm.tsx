import { useId } from 'react';
import { NumberField } from '../components/NumberField';
import { useCatalog } from '../state/catalog';
import { GENERATED, shapeOf } from './definition';
import type { Definition } from './definition';

interface Props {
  readonly definition: Definition;
  readonly busy: boolean;
  readonly onChange: (definition: Definition) => void;
  readonly onRun: (fresh: boolean) => void;
  readonly onStop: () => void;
  readonly onCancel: () => void;
}

/** The tensor and the parameters, and what may be done with them now. */
export function DefinitionForm({ definition, busy, onChange, onRun, onStop, onCancel }: Props) {
  const id = useId();
  const tensors = useCatalog((catalog) => catalog.datasets).filter(({ shape }) => shape.length >= 2);
  const set = (change: Partial<Definition>): void => onChange({ ...definition, ...change });
  const generated = definition.tensor === GENERATED;
  const wrong = generated && shapeOf(definition.shape) === null;
  return (
    <form
      className="algorithm-form"
      aria-label="Definition"
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy && !wrong) onRun(false);
      }}
    >
      <span className="field">
        <label htmlFor={`${id}-tensor`}>Tensor</label>
        <select id={`${id}-tensor`} value={definition.tensor} onChange={(event) => set({ tensor: event.target.value })}>
          <option value={GENERATED}>Planted components</option>
          {tensors.map(({ id: dataset, name, shape }) => (
            <option key={dataset} value={dataset}>
              {name}, {shape.join(' × ')}
            </option>
          ))}
        </select>
      </span>
      {generated && (
        <>
          <span className="field">
            <label htmlFor={`${id}-shape`}>Shape</label>
            <input
              id={`${id}-shape`}
              value={definition.shape}
              aria-invalid={wrong}
              aria-describedby={wrong ? `${id}-wrong` : undefined}
              onChange={(event) => set({ shape: event.target.value })}
            />
            {wrong && (
              <span className="complaint" id={`${id}-wrong`}>
                Expected 2 to 9 sizes, such as 60, 80, 100.
              </span>
            )}
          </span>
          <NumberField
            label="Planted"
            integer
            minimum={1}
            maximum={64}
            value={definition.planted}
            onChange={(planted) => set({ planted: planted ?? 1 })}
          />
        </>
      )}
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
        label="Tolerance of the fit"
        minimum={0}
        value={definition.tolerance}
        onChange={(tolerance) => set({ tolerance: tolerance ?? 0 })}
      />
      <NumberField
        label="Seed of the start"
        integer
        minimum={0}
        value={definition.seed}
        onChange={(seed) => set({ seed: seed ?? 0 })}
      />
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
