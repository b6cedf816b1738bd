import { useState } from 'react';
import type { TreeOffer } from '../api/types';
import { NumberField } from '../components/NumberField';
import { SelectField } from '../components/SelectField';
import { ALGORITHMS, hasWrongShape, STARTS } from './definition';
import type { AlgorithmName, Definition } from './definition';
import { KernelFields } from './KernelFields';
import { CollectionForm } from '../panels/run/inputs/CollectionForm';
import { addDataset } from '../state/catalog';
import { TensorFields } from './TensorFields';

interface Props {
  readonly definition: Definition;
  readonly busy: boolean;
  /** It was asked to stop already. */
  readonly stopping: boolean;
  readonly offers: readonly TreeOffer[];
  /** Told what to make of the definition that is there by then: a file may arrive long after it was asked for. */
  readonly onChange: (change: (now: Definition) => Definition) => void;
  readonly onRun: (fresh: boolean) => void;
  readonly onStop: () => void;
  readonly onCancel: () => void;
}

/** On a phone it is far below the field that asked for it. */
function bringIntoSight(place: HTMLDivElement | null): void {
  place?.scrollIntoView({ block: 'nearest' });
}

/** The tensor and the parameters, and what may be done with them now. */
export function DefinitionForm({ definition, busy, stopping, offers, onChange, onRun, onStop, onCancel }: Props) {
  const set = (change: Partial<Definition>): void => onChange((now) => ({ ...now, ...change }));
  const wrong = hasWrongShape(definition);
  const [collecting, setCollecting] = useState(false);
  return (
    <>
      <form
        aria-label="Definition"
        onSubmit={(event) => {
          event.preventDefault();
          if (!busy && !wrong) onRun(false);
        }}
      >
        <div className="algorithm-form">
          <SelectField
            label="Algorithm"
            value={definition.algorithm}
            onChange={(algorithm) => set({ algorithm: algorithm as AlgorithmName })}
          >
            {Object.entries(ALGORITHMS).map(([name, title]) => (
              <option key={name} value={name}>
                {title}
              </option>
            ))}
          </SelectField>
          <TensorFields definition={definition} collecting={collecting} set={set} onCollect={setCollecting} />
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
          <SelectField label="Start" value={definition.start} onChange={(start) => set({ start })}>
            {Object.entries(STARTS).map(([kind, title]) => (
              <option key={kind} value={kind} disabled={definition.algorithm === 'cp-apr' && kind !== 'uniform'}>
                {title}
              </option>
            ))}
            {!(definition.start in STARTS) && <option value={definition.start}>As in the document</option>}
          </SelectField>
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
          <button
            type="button"
            className="button"
            disabled={!busy || stopping}
            data-tip="Keeps the sweeps made so far"
            onClick={onStop}
          >
            Stop
          </button>
          <button type="button" className="button quiet" disabled={!busy} data-tip="Keeps nothing" onClick={onCancel}>
            Cancel
          </button>
        </div>
      </form>
      {collecting && (
        <div className="algorithm-collection" ref={bringIntoSight}>
          <CollectionForm
            name="X"
            order={3}
            onArrived={(dataset) => {
              addDataset(dataset);
              setCollecting(false);
              set({ tensor: dataset.id });
            }}
            onClose={() => setCollecting(false)}
          />
        </div>
      )}
    </>
  );
}
