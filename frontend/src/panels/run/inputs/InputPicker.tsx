import { Suspense, useCallback, useRef, useState } from 'react';
import type { DatasetView, DiagnosticView, Problem, TensorView } from '../../../api/types';
import { DiagnosticList } from '../../../components/DiagnosticList';
import { Popover } from '../../../components/placing/Popover';
import type { InputSpec } from '../../../plan/plan';
import { addDataset, catalog, useCatalog } from '../../../state/catalog';
import { proposedShape, sizeNames } from '../../../state/sizes/gaps';
import { useCompiled } from '../../../state/sizes/use-compiled';
import { linkId, useLinked } from '../../../state/links';
import { useSelect, useStore } from '../../../state/store';
import { CollectionForm } from './CollectionForm';
import { GeneratorForm } from './GeneratorForm';
import { choiceOf, COLLECTION, datasetInput, FILLED, generatorInput, UPLOAD } from './input-choice';
import { sizeElsewhere, withInput } from './input-sizes';
import { KeptData } from './KeptData';
import { ProblemNote } from '../ProblemNote';
import { counted, formatCount } from '../../../text/quantities';
import { UploadProgress } from '../upload/UploadProgress';
import { useUpload } from '../upload/use-upload';
import { lazyFile } from '../../../components/loading/lazy-file';

const PreviewPanel = lazyFile(() => import('../preview/PreviewPanel'));

interface Props {
  readonly tensor: TensorView;
  /** All of the expression: they share sizes. */
  readonly tensors: readonly TensorView[];
  readonly diagnostics: readonly DiagnosticView[];
}

/** Where one operand comes from: a matrix of the service, a generator with a seed, or a file of the person. */
export function InputPicker({ tensor, tensors, diagnostics }: Props) {
  const { name, order } = tensor;
  const store = useStore();
  const compiled = useCompiled();
  const input = useSelect((state) => state.draft.inputs[name]);
  const datasets = useCatalog((known) => known.datasets);
  const generators = useCatalog((known) => known.generators);
  const { props: link } = useLinked(linkId.tensor(name));
  const file = useRef<HTMLInputElement>(null);
  const [collecting, setCollecting] = useState(false);
  const [looking, setLooking] = useState(false);
  const row = useRef<HTMLLIElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const close = useCallback(() => setLooking(false), []);

  const { transfer, problem, setProblem, send } = useUpload();
  const take = (dataset: DatasetView): void => {
    addDataset(dataset);
    setCollecting(false);
    if (dataset.shape.length === order) {
      set(datasetInput(dataset));
    } else {
      setProblem(misfit(dataset, tensor));
    }
  };
  const fitting = datasets.filter((dataset) => dataset.shape.length === order);
  const offered = generators.filter((generator) => generator.order === null || generator.order === order);
  const choice = choiceOf(input);
  const known =
    choice === FILLED ||
    [...fitting.map(({ id }) => `dataset ${id}`), ...offered.map((one) => `generator ${one.name}`)].includes(choice);
  const kept = fitting.find(({ id, origin }) => origin === 'upload' && `dataset ${id}` === choice);
  const generator = offered.find((one) => `generator ${one.name}` === choice);

  const set = (next: InputSpec | null): void => {
    // Not those of the last drawing: an upload may have just come.
    const { draft } = store.get();
    const inputs = withInput(name, next, tensors, draft.inputs, catalog.get().datasets);
    const said = next === null ? [] : sizeNames(draft, compiled, tensor);
    const sizes = Object.fromEntries(Object.entries(draft.sizes).filter(([size]) => !said.includes(size)));
    store.update({ kind: 'input', tensor: name, inputs, sizes });
  };
  const choose = (next: string): void => {
    setProblem(null);
    setCollecting(next === COLLECTION);
    if (next === COLLECTION) return;
    if (next === UPLOAD) {
      file.current?.click();
      return;
    }
    const dataset = fitting.find(({ id }) => next === `dataset ${id}`);
    const made = offered.find((one) => next === `generator ${one.name}`);
    const { draft } = store.get();
    // A dense operand of a size that nobody knows yet is as large as the reference of a run takes well.
    const names = sizeNames(draft, compiled, tensor);
    const proposed =
      next === 'generator dense'
        ? proposedShape(draft, compiled, datasets, name)
        : names.map((size) => draft.sizes[size] ?? null);
    const said = tensor.dimensions.map(
      (variable, place) =>
        sizeElsewhere(variable, name, tensors, draft.inputs, datasets)?.size ?? proposed[place] ?? null,
    );
    const chosen = dataset ? datasetInput(dataset) : made ? generatorInput(made, order, input, said) : null;
    set(chosen);
  };
  const group = (title: string, origin: DatasetView['origin']) => {
    const members = fitting.filter((dataset) => dataset.origin === origin);
    if (members.length === 0) return null;
    return (
      <optgroup label={title}>
        {members.map((dataset) => (
          <option key={dataset.id} value={`dataset ${dataset.id}`} title={dataset.summary}>
            {dataset.name} ({dataset.shape.map(formatCount).join(' × ')}, {counted(dataset.nnz, 'nonzero')})
          </option>
        ))}
      </optgroup>
    );
  };
  return (
    <li className="input-row" ref={row}>
      <div className="input-line">
        <button type="button" className="name-button tensor-name" {...link} aria-label={`Tensor ${name}`}>
          {name}
        </button>
        <select
          aria-label={`Input of ${name}`}
          value={collecting ? COLLECTION : choice}
          onChange={(event) => choose(event.target.value)}
        >
          <option value={FILLED}>random, in the size needed</option>
          {!known && <option value={choice}>{choice.replace(/^\w+ /, '')}</option>}
          {group('Built in', 'builtin')}
          {group('Uploaded', 'upload')}
          {group('From collections', 'collection')}
          {order > 0 && (
            <optgroup label="Generated">
              {offered.map((one) => (
                <option key={one.name} value={`generator ${one.name}`} title={one.summary}>
                  {one.title}
                </option>
              ))}
            </optgroup>
          )}
          {order > 0 && <option value={UPLOAD}>Upload a file, for everybody on this server…</option>}
          {order > 0 && <option value={COLLECTION}>From a collection…</option>}
        </select>
        {input !== undefined && order > 0 && (
          <button
            type="button"
            className="button quiet"
            aria-expanded={looking}
            aria-label={`Preview of the input of ${name}`}
            ref={opener}
            onClick={() => setLooking(!looking)}
          >
            Preview
          </button>
        )}
        {looking && input !== undefined && (
          <Popover label={`Data of ${name}`} opener={opener} around={row} onClose={close}>
            <Suspense fallback={<p className="caption muted">Loading…</p>}>
              <PreviewPanel tensor={tensor} input={input} />
            </Suspense>
          </Popover>
        )}
        <input
          ref={file}
          type="file"
          hidden
          accept=".mtx,.tns,.smtx,.gz"
          aria-label={`File for ${name}`}
          onChange={(event) => {
            const chosen = event.target.files?.[0];
            event.target.value = '';
            if (chosen) void send(chosen, take);
          }}
        />
      </div>
      {generator !== undefined && input !== undefined && (
        <GeneratorForm
          // What was typed for one generator is no answer to another one's questions.
          key={generator.name}
          tensor={tensor}
          tensors={tensors}
          datasets={datasets}
          generator={generator}
          input={input}
          onChange={set}
        />
      )}
      {kept !== undefined && <KeptData dataset={kept} onDeleted={() => set(null)} />}
      {collecting && <CollectionForm name={name} order={order} onArrived={take} onClose={() => setCollecting(false)} />}
      {transfer !== null && <UploadProgress transfer={transfer} />}
      {problem !== null && <ProblemNote problem={problem} />}
      <DiagnosticList
        label={`Problems in the input of ${name}`}
        diagnostics={diagnostics}
        onFix={(fix) => store.update({ kind: 'fix', fix })}
      />
    </li>
  );
}

function misfit(dataset: DatasetView, tensor: TensorView): Problem {
  const detail = `${dataset.name} has ${dataset.shape.length} dimensions, ${tensor.name} has ${tensor.order}. It is kept; choose it for a tensor that it fits.`;
  return { type: 'about:blank', title: 'The file does not fit', status: 0, detail, instance: null };
}
