import { useRef, useState } from 'react';
import { isAbort, toProblem } from '../../api/client';
import type { DatasetView, DiagnosticView, Problem, TensorView } from '../../api/types';
import { uploadDataset } from '../../api/upload';
import type { Upload } from '../../api/upload';
import { DiagnosticList } from '../../components/DiagnosticList';
import { Prose } from '../../components/Prose';
import { addDataset, useCatalog } from '../../state/catalog';
import { linkId, useLinked } from '../../state/links';
import { useSelect, useStore } from '../../state/store';
import { GeneratorForm } from './GeneratorForm';
import { choiceOf, datasetInput, FILLED, generatorInput, UPLOAD } from './input-choice';
import { formatCount } from './quantities';

interface Props {
  readonly tensor: TensorView;
  readonly diagnostics: readonly DiagnosticView[];
}

/** Where one operand comes from: a matrix of the service, a generator with a seed, or a file of the person. */
export function InputPicker({ tensor, diagnostics }: Props) {
  const { name, order } = tensor;
  const store = useStore();
  const input = useSelect((state) => state.draft.inputs[name]);
  const datasets = useCatalog((catalog) => catalog.datasets);
  const generators = useCatalog((catalog) => catalog.generators);
  const { props: link } = useLinked(linkId.tensor(name));
  const file = useRef<HTMLInputElement>(null);
  const [upload, setUpload] = useState<{ name: string; fraction: number; running: Upload } | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);

  const fitting = datasets.filter((dataset) => dataset.shape.length === order);
  const offered = generators.filter((generator) => generator.order === null || generator.order === order);
  const choice = choiceOf(input);
  const known =
    choice === FILLED ||
    [...fitting.map(({ id }) => `dataset ${id}`), ...offered.map((one) => `generator ${one.name}`)].includes(choice);
  const generator = offered.find((one) => `generator ${one.name}` === choice);

  const choose = (next: string): void => {
    setProblem(null);
    if (next === UPLOAD) {
      file.current?.click();
      return;
    }
    const dataset = fitting.find(({ id }) => next === `dataset ${id}`);
    const made = offered.find((one) => next === `generator ${one.name}`);
    const chosen = dataset ? datasetInput(dataset) : made ? generatorInput(made, order, input) : null;
    store.update({ kind: 'input', tensor: name, input: chosen });
  };
  const send = async (chosen: File): Promise<void> => {
    setProblem(null);
    const running = uploadDataset(chosen, (fraction) => setUpload({ name: chosen.name, fraction, running }));
    setUpload({ name: chosen.name, fraction: 0, running });
    try {
      const dataset = await running.done;
      addDataset(dataset);
      if (dataset.shape.length === order) {
        store.update({ kind: 'input', tensor: name, input: datasetInput(dataset) });
      } else {
        setProblem(misfit(dataset, tensor));
      }
    } catch (error) {
      if (!isAbort(error)) setProblem(toProblem(error));
    } finally {
      setUpload(null);
    }
  };
  const group = (title: string, origin: DatasetView['origin']) => {
    const members = fitting.filter((dataset) => dataset.origin === origin);
    if (members.length === 0) return null;
    return (
      <optgroup label={title}>
        {members.map((dataset) => (
          <option key={dataset.id} value={`dataset ${dataset.id}`} title={dataset.summary}>
            {dataset.name} ({dataset.shape.map(formatCount).join(' × ')}, {formatCount(dataset.nnz)} nonzeros)
          </option>
        ))}
      </optgroup>
    );
  };
  return (
    <li className="input-row">
      <div className="input-line">
        <button type="button" className="tensor-name" {...link} aria-label={`Tensor ${name}`}>
          {name}
        </button>
        <select aria-label={`Input of ${name}`} value={choice} onChange={(event) => choose(event.target.value)}>
          <option value={FILLED}>random, as large as needed</option>
          {!known && <option value={choice}>{choice.replace(/^\w+ /, '')}</option>}
          {group('Built in', 'builtin')}
          {group('Uploaded', 'upload')}
          {order > 0 && (
            <optgroup label="Generated">
              {offered.map((one) => (
                <option key={one.name} value={`generator ${one.name}`} title={one.summary}>
                  {one.title}
                </option>
              ))}
            </optgroup>
          )}
          {order > 0 && <option value={UPLOAD}>Upload a file…</option>}
        </select>
        <input
          ref={file}
          type="file"
          hidden
          accept=".mtx,.tns,.smtx,.gz"
          aria-label={`File for ${name}`}
          onChange={(event) => {
            const chosen = event.target.files?.[0];
            event.target.value = '';
            if (chosen) void send(chosen);
          }}
        />
      </div>
      {generator !== undefined && input !== undefined && (
        <GeneratorForm tensor={tensor} generator={generator} input={input} />
      )}
      {upload !== null && (
        <div className="upload">
          <progress aria-label={`Upload of ${upload.name}`} max={1} value={upload.fraction} />
          <span className="caption muted">
            {upload.name}, {upload.fraction < 1 ? `${Math.floor(upload.fraction * 100)} %` : 'being checked'}
          </span>
          <button type="button" className="button quiet" onClick={upload.running.abort}>
            Cancel upload
          </button>
        </div>
      )}
      {problem !== null && (
        <div role="alert" className="diagnostic diagnostic-error">
          <span className="diagnostic-icon" aria-hidden="true">
            ✕
          </span>
          <div>
            <strong>{problem.title}.</strong> <Prose text={problem.detail} />
          </div>
        </div>
      )}
      <DiagnosticList
        label={`Problems in the input of ${name}`}
        diagnostics={diagnostics}
        onFix={(fix) => store.update({ kind: 'fix', fix })}
      />
    </li>
  );
}

function misfit(dataset: DatasetView, tensor: TensorView): Problem {
  const detail = `${dataset.name} has ${dataset.shape.length} dimensions, ${tensor.name} has ${tensor.order}. It is kept and can be chosen for a tensor that it fits.`;
  return { type: 'about:blank', title: 'The file does not fit', status: 0, detail, instance: null };
}
