import { useCallback, useMemo, useRef, useState } from 'react';
import { getComposition } from '../../api/client';
import type { CompileView, StoredPartsView, TensorView } from '../../api/types';
import { HybSliders } from '../../components/composed/HybSliders';
import { DataPicker } from '../../components/data/DataPicker';
import { storageRequest, storedTensor, tracedEntries } from '../../components/data/stored-data';
import { useStored } from '../../components/data/use-stored';
import { DiagnosticList } from '../../components/DiagnosticList';
import { useSizeOf } from '../../components/use-size-of';
import type { Draft } from '../../plan/plan';
import { INPUT, inputOf } from '../../state/data/example-data';
import { useSelect, useStore } from '../../state/store';
import { usePlayback, useTraceWanted } from '../../state/use-playback';
import { counted, formatBytes, formatCount } from '../../text/quantities';
import { isComposed } from '../../viz/composition/format-text';
import { sentenceOf } from '../../viz/composition/parts';
import type { Pointed } from '../../viz/composition/parts';
import { pictureOf } from '../../viz/composition/picture';
import { Buckets } from './Buckets';
import { CompositionPicture } from './CompositionPicture';
import { Conversion } from './Conversion';
import { EntriesTable } from './EntriesTable';
import { LargeSpy } from './LargeSpy';
import { Load } from './Load';
import { PartPatterns } from './PartPatterns';
import { PartTable } from './PartTable';
import { Proposals } from './Proposals';
import { Remapping } from './Remapping';
import './composition.css';
import './part-table.css';

/** A tensor as a sum of parts: which part has what, what it costs, and how the work is shared out. */
export default function CompositionPanel({ result }: { readonly result: CompileView }) {
  const store = useStore();
  const draft = useSelect((state) => state.draft);
  const asked = useSelect((state) => state.view.storage);
  useTraceWanted();
  const whole = usePlayback((state) => state.data.id === INPUT);
  const trace = usePlayback((state) => state.trace);
  const [workers, setWorkers] = useState(2);
  const tensors = withDimensions(result);
  const tensor = shownTensor(result, draft, asked);
  const entries = useMemo(() => (tensor ? tracedEntries(trace, tensor) : null), [trace, tensor]);
  const text = tensor === undefined ? '' : (draft.tensors[tensor.name]?.format ?? tensor.format);
  const { view, stored, problem, loading } = useStored(
    tensor === undefined
      ? null
      : { ...storageRequest(text, tensor, whole ? inputOf(draft, tensor) : null, entries), workers },
    getComposition,
  );
  if (tensor === undefined) return <p className="panel-message muted">The tensors of the expression appear here.</p>;
  const { name } = tensor;
  return (
    <section className="composition-panel" aria-label="Composition" aria-busy={loading}>
      <PartPatterns />
      <div className="composition-choices">
        <label>
          Tensor{' '}
          <select aria-label="Tensor" value={name} onChange={(event) => store.look({ storage: event.target.value })}>
            {tensors.map((one) => (
              <option key={one.name} value={one.name}>
                {one.name}({one.dimensions.join(',')})
              </option>
            ))}
          </select>
        </label>
        <DataPicker result={result} alone />
        {stored !== null && (
          <span className="muted caption" role="status">
            {`${stored.shape.join(' × ')} · ${counted(stored.entries, 'entry', 'entries')} in ${counted(stored.parts.length, 'part')} · ${formatCount(stored.places)} places · ${formatBytes(stored.bytes)}`}
          </span>
        )}
      </div>
      <HybSliders tensor={name} text={text} />
      {stored !== null && stored.expanded !== '' && stored.expanded !== text.trim() && (
        <p className="composition-expanded">
          <code>{stored.text}</code> is <code>{stored.expanded}</code>
        </p>
      )}
      {problem !== null && <p className="panel-message">{problem.detail ?? problem.title}</p>}
      <DiagnosticList
        label={`Problems in the parts of ${name}`}
        diagnostics={view?.diagnostics ?? []}
        onFix={(fix) => store.update({ kind: 'fix', fix })}
      />
      {stored !== null && !isComposed(text) && <Proposals name={name} text={text} stored={stored} />}
      {stored !== null && (
        <div className="composition-body" data-stale={view?.stored === null ? '' : undefined}>
          {view?.stored === null && <p className="stale-note">The picture shows the last format that worked.</p>}
          <Body name={name} text={text} stored={stored} dimensions={tensor.dimensions} />
          <Load stored={stored} workers={workers} onWorkers={setWorkers} />
        </div>
      )}
    </section>
  );
}

interface BodyProps {
  readonly name: string;
  readonly text: string;
  readonly stored: StoredPartsView;
  readonly dimensions: readonly string[];
}

const withDimensions = (result: CompileView): readonly TensorView[] => result.tensors.filter(({ order }) => order > 0);

/** The tensor that was asked for, else the one that is a sum of parts. */
function shownTensor(result: CompileView, draft: Draft, asked: string): TensorView | undefined {
  const tensors = withDimensions(result);
  const composed = tensors.find(({ name, format }) => isComposed(draft.tensors[name]?.format ?? format));
  return tensors.find(({ name }) => name === asked) ?? composed ?? storedTensor(tensors, asked);
}

interface Seen {
  readonly stored: StoredPartsView;
  readonly pointed: Pointed | null;
  readonly moved: number;
}

/** Until the width of the picture is known. */
const USUAL_ROOM = 520;

function Body({ name, text, stored, dimensions }: BodyProps) {
  const root = useRef<HTMLDivElement>(null);
  const room = useSizeOf(root)?.width ?? USUAL_ROOM;
  // Of another format or other data nothing is pointed at, and all entries are in their places.
  const [seen, setSeen] = useState<Seen>({ stored, pointed: null, moved: stored.entries });
  const { pointed, moved } = seen.stored === stored ? seen : { pointed: null, moved: stored.entries };
  const setPointed = (next: Pointed | null): void => setSeen({ stored, pointed: next, moved });
  const setMoved = useCallback((next: number): void => setSeen({ stored, pointed: null, moved: next }), [stored]);
  const picture = useMemo(() => pictureOf(stored, room), [stored, room]);
  const last: Pointed = { kind: 'entry', entry: moved - 1 };
  return (
    <div className="composition-body" ref={root}>
      {picture === null ? (
        <LargeSpy name={name} stored={stored} pointed={pointed} onPoint={setPointed} />
      ) : (
        <>
          <CompositionPicture
            name={name}
            stored={stored}
            picture={picture}
            moved={moved}
            pointed={pointed}
            onPoint={setPointed}
          />
          <Conversion
            name="Conversion"
            counts="Entries that have gone to their parts"
            entries={stored.entries}
            moved={moved}
            onMove={setMoved}
            said={sentenceOf(name, stored, last) ?? ''}
          />
        </>
      )}
      <p className="composition-said" aria-live="polite">
        {sentenceOf(name, stored, pointed) ??
          (picture === null ? '' : 'Point at an entry, a place or a part; the arrow keys go from one to the next.')}
      </p>
      <PartTable name={name} stored={stored} pointed={pointed} onPoint={setPointed} />
      <EntriesTable name={name} stored={stored} dimensions={dimensions} />
      <Remapping key={stored.text} name={name} stored={stored} dimensions={dimensions} />
      <Buckets name={name} text={text} stored={stored} />
    </div>
  );
}
