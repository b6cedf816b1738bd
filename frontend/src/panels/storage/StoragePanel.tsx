import { useMemo } from 'react';
import { getStorage } from '../../api/client';
import type { CompileView, TensorView } from '../../api/types';
import { DiagnosticList } from '../../components/DiagnosticList';
import { DataPicker } from '../../components/data/DataPicker';
import { storageRequest, storedTensor, tracedEntries } from '../../components/data/stored-data';
import { useStored } from '../../components/data/use-stored';
import { INPUT, inputOf } from '../../state/data/example-data';
import { useSelect, useStore } from '../../state/store';
import { useSizeOf } from '../../components/use-size-of';
import { usePlayback, useTraceWanted } from '../../state/use-playback';
import { storageModel } from '../../viz/storage/marks';
import type { StorageModel } from '../../viz/storage/marks';
import { bytesText } from './bytes';
import Footprints from './Footprints';
import LevelBuilder from './LevelBuilder';
import Proposals from './Proposals';
import StorageArrays from './StorageArrays';
import StorageGrid from './StorageGrid';
import StorageText from './StorageText';
import StorageTree from './StorageTree';
import { useMarks } from './use-marks';
import './storage.css'; // after those of its parts: what is marked looks so whatever it is

/** How each tensor lies in memory: its levels to build, and the same data as a tree, as arrays and as a grid. */
export default function StoragePanel({ result }: { readonly result: CompileView }) {
  const store = useStore();
  const draft = useSelect((state) => state.draft);
  const asked = useSelect((state) => state.view.storage);
  useTraceWanted();
  const whole = usePlayback((state) => state.data.id === INPUT);
  const trace = usePlayback((state) => state.trace);
  const tensor = storedTensor(result.tensors, asked);
  const entries = useMemo(() => (tensor ? tracedEntries(trace, tensor) : null), [trace, tensor]);
  const { view, stored, problem, loading } = useStored(
    tensor
      ? storageRequest(draft.tensors[tensor.name]?.format, tensor, whole ? inputOf(draft, tensor) : null, entries)
      : null,
    getStorage,
  );
  const model = useMemo(() => (stored === null ? null : storageModel(stored)), [stored]);

  if (tensor === undefined) return <p className="panel-message muted">The tensors of the expression appear here.</p>;
  const { name } = tensor;
  return (
    <section className="storage-panel" aria-label="Storage" aria-busy={loading}>
      <div className="storage-choices">
        <label>
          Tensor{' '}
          <select aria-label="Tensor" value={name} onChange={(event) => store.look({ storage: event.target.value })}>
            {result.tensors.map((one) => (
              <option key={one.name} value={one.name}>
                {one.name}
                {one.order > 0 ? `(${one.dimensions.join(',')})` : ''}
              </option>
            ))}
          </select>
        </label>
        <DataPicker result={result} alone />
        {stored !== null && (
          <span className="muted caption" role="status">
            {`${stored.shape.join(' × ') || 'scalar'} · ${count(stored.entries)} entries · ${stored.stored === stored.entries ? '' : `${count(stored.stored)} stored · `}${bytesText(stored.bytes)}`}
          </span>
        )}
      </div>
      <Proposals />
      {problem !== null && <p className="panel-message">{problem.detail ?? problem.title}</p>}
      {view === null && problem === null && <p className="panel-message muted">Looking at the tensor …</p>}
      <DiagnosticList
        label={`Problems in the storage of ${name}`}
        diagnostics={view?.diagnostics ?? []}
        onFix={(fix) => store.update({ kind: 'fix', fix })}
      />
      {view?.diagnostics.some(({ code }) => code === 'storage/parts') && (
        <p>
          <button type="button" className="button" onClick={() => store.look({ understand: 'composition' })}>
            Show the parts of {name}
          </button>
        </p>
      )}
      {stored !== null && (
        <LevelBuilder name={name} levels={stored.levels} kinds={view?.kinds ?? []} dimensions={tensor.dimensions} />
      )}
      {model !== null && (
        <div className="storage-body" data-stale={view?.stored === null ? '' : undefined}>
          {view?.stored === null && <p className="stale-note">The picture shows the last format that worked.</p>}
          <Picture tensor={tensor} model={model} />
        </div>
      )}
      {view !== null && view.footprints.length > 0 && <Footprints name={name} footprints={view.footprints} />}
    </section>
  );
}

function Picture({ tensor, model }: { readonly tensor: TensorView; readonly model: StorageModel }) {
  const { name, dimensions } = tensor;
  const { root, place, handlers } = useMarks(model, name, dimensions);
  const { stored, leaves, whole } = model.tensor;
  const room = useSizeOf(root)?.width ?? USUAL_ROOM;
  return (
    <div className="storage-picture" ref={root} {...handlers}>
      {!whole && (
        <p className="storage-sampled">
          {`The picture shows the first ${count(leaves.length)} of ${count(stored)} stored values; sizes and bytes are of all of them.`}
        </p>
      )}
      <StorageTree name={name} model={model} dimensions={dimensions} room={room} />
      <StorageGrid name={name} model={model} dimensions={dimensions} />
      <StorageArrays name={name} model={model} />
      <StorageText name={name} model={model} dimensions={dimensions} place={place} />
    </div>
  );
}

/** Until the width of the picture is known. */
const USUAL_ROOM = 520;

const count = (number: number): string => number.toLocaleString('en');
