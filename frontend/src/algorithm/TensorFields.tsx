import { useId, useRef } from 'react';
import type { DatasetView } from '../api/types';
import { NumberField } from '../components/NumberField';
import { SelectField } from '../components/SelectField';
import { COLLECTION, UPLOAD } from '../panels/run/inputs/input-choice';
import { ProblemNote } from '../panels/run/ProblemNote';
import { UploadProgress } from '../panels/run/upload/UploadProgress';
import { useUpload } from '../panels/run/upload/use-upload';
import { addDataset, useCatalog } from '../state/catalog';
import { GENERATED, hasWrongShape, isMade, KEPT, shapeOf, ZIPF } from './definition';
import type { Definition } from './definition';

interface Props {
  readonly definition: Definition;
  readonly set: (change: Partial<Definition>) => void;
}

/** How many modes the tensor of the definition has; null where that is not known yet. */
export function useOrder(definition: Definition): number | null {
  const { tensor, shape, kept } = definition;
  const datasets = useCatalog((catalog) => catalog.datasets);
  if (isMade(definition)) return shapeOf(shape)?.length ?? null;
  const sizes = tensor === KEPT ? kept.X['shape'] : datasets.find(({ id }) => id === tensor)?.shape;
  return Array.isArray(sizes) ? sizes.length : null;
}

interface FieldProps extends Props {
  /** A form beside this one asks for a name of a public collection. */
  readonly collecting: boolean;
  readonly onCollect: (asked: boolean) => void;
}

/** Where X comes from: made by a generator, a data set, a file of the person, a public collection, or as the document
 * that was opened says. */
export function TensorFields({ definition, collecting, set, onCollect }: FieldProps) {
  const id = useId();
  const tensors = useCatalog((catalog) => catalog.datasets).filter(({ shape }) => shape.length >= 2);
  const { tensor, shape, planted, nnz } = definition;
  const wrong = hasWrongShape(definition);
  const file = useRef<HTMLInputElement>(null);
  const take = (dataset: DatasetView): void => {
    addDataset(dataset);
    set({ tensor: dataset.id });
  };
  const { transfer, problem, setProblem, send } = useUpload();
  const choose = (chosen: string): void => {
    setProblem(null);
    onCollect(chosen === COLLECTION);
    if (chosen === UPLOAD) file.current?.click();
    else if (chosen !== COLLECTION) set({ tensor: chosen });
  };
  return (
    <>
      <SelectField label="Tensor" value={collecting ? COLLECTION : tensor} onChange={choose}>
        <option value={GENERATED}>Planted components</option>
        <option value={ZIPF}>Few busy slices</option>
        {tensor === KEPT && <option value={KEPT}>As in the document</option>}
        {tensors.map(({ id: dataset, name, shape: sizes }) => (
          <option key={dataset} value={dataset}>
            {name}, {sizes.join(' × ')}
          </option>
        ))}
        <option value={UPLOAD}>Upload a file…</option>
        <option value={COLLECTION}>From a collection…</option>
      </SelectField>
      <input
        ref={file}
        type="file"
        hidden
        accept=".mtx,.tns,.smtx,.gz"
        aria-label="File for X"
        onChange={(event) => {
          const chosen = event.target.files?.[0];
          event.target.value = '';
          if (chosen) void send(chosen, take);
        }}
      />
      {transfer !== null && <UploadProgress transfer={transfer} />}
      {problem !== null && <ProblemNote problem={problem} />}
      {isMade(definition) && (
        <span className="field">
          <label htmlFor={`${id}-shape`}>Shape</label>
          <input
            id={`${id}-shape`}
            value={shape}
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
      )}
      {tensor === GENERATED && (
        <NumberField
          label="Planted"
          integer
          minimum={1}
          maximum={64}
          value={planted}
          onChange={(count) => set({ planted: count ?? 1 })}
        />
      )}
      {tensor === ZIPF && (
        <NumberField
          label="Entries"
          integer
          minimum={1}
          maximum={10_000_000}
          value={nnz}
          onChange={(count) => set({ nnz: count ?? 1 })}
        />
      )}
    </>
  );
}
