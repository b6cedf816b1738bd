import { useMemo, useState } from 'react';
import { getComposition } from '../../api/client';
import type { AxisView, PartView, StoredPartsView, TensorView } from '../../api/types';
import { INPUT, inputOf } from '../../state/data/example-data';
import { linkId, useLinked } from '../../state/links';
import { useSelect } from '../../state/store';
import { usePlayback, useTraceWanted } from '../../state/use-playback';
import { formatBytes, formatCount } from '../../text/quantities';
import { offsetSteps, stepText } from '../../viz/axes/offsets';
import { storageRequest, tracedEntries } from '../data/stored-data';
import { useStored } from '../data/use-stored';
import './axes.css';

interface Props {
  readonly tensor: TensorView;
  /** How the place of an entry follows from the axes, instead of the axes. */
  readonly offsets?: boolean;
}

/** The axes of one tensor, or of each of its parts, with the arrays that they are stored in. */
export function TensorAxes({ tensor, offsets = false }: Props) {
  const draft = useSelect((state) => state.draft);
  useTraceWanted();
  const whole = usePlayback((state) => state.data.id === INPUT);
  const trace = usePlayback((state) => state.trace);
  const entries = useMemo(() => tracedEntries(trace, tensor), [trace, tensor]);
  const text = draft.tensors[tensor.name]?.format ?? tensor.format;
  const { view, stored, problem } = useStored(
    { ...storageRequest(text, tensor, whole ? inputOf(draft, tensor) : null, entries), workers: 1 },
    getComposition,
  );
  if (stored === null) {
    const said = problem?.title ?? view?.diagnostics[0]?.message;
    return said === undefined ? null : <p className="caption muted">{said}</p>;
  }
  const several = stored.text !== '' && stored.expanded !== '';
  return (
    <section className="axes-tensor" aria-label={`Axes of ${tensor.name}`}>
      {offsets ? (
        <Offsets tensor={tensor} stored={stored} />
      ) : (
        stored.parts.map((part) => (
          <PartAxes
            key={part.name}
            name={several ? `${tensor.name}_${part.name}` : tensor.name}
            part={part}
            dimensions={tensor.dimensions}
          />
        ))
      )}
    </section>
  );
}

interface PartProps {
  readonly name: string;
  readonly part: PartView;
  readonly dimensions: readonly string[];
}

function PartAxes({ name, part, dimensions }: PartProps) {
  return (
    <div className="axes-part">
      <h3>
        {name} <span className="muted">{part.levels_text}</span>
      </h3>
      <ul className="axes-tree">
        <li>
          <span className="axes-kind">dense_fixed</span> <span className="muted">root, length 1</span>
          <Below name={name} axes={part.axes} number={0} dimensions={dimensions} part={part} />
        </li>
      </ul>
    </div>
  );
}

interface BelowProps extends PartProps {
  readonly axes: readonly AxisView[];
  readonly number: number;
}

function Below({ name, part, axes, number, dimensions }: BelowProps) {
  const axis = axes[number];
  const { props, lit } = useLinked(linkId.level(name, number + 1));
  if (axis === undefined) return null;
  const { kind, axis: word, dimension, length, positions, ordered, unique, arrays } = axis;
  const flags = [ordered ? 'sorted' : 'not sorted', unique ? 'unique' : 'repeated'];
  return (
    <ul>
      <li>
        <button type="button" className="axes-axis" {...props} data-lit={lit ? '' : undefined}>
          <span className="axes-kind">{word ?? 'no axis of SparseTIR'}</span> <code>{kind}</code>
          <span className="muted">
            {` ${dimensions[dimension] ?? dimension}, length ${formatCount(length)}, ${formatCount(positions)} positions, ${flags.join(', ')}`}
          </span>
        </button>
        {arrays.map((array) => (
          <p key={array.name} className="axes-array">
            <code>{array.name}</code>
            {` ${sparseTirName(array.role)}: ${formatCount(array.size)} × ${array.dtype}, ${formatBytes(array.bytes)}`}
            {array.least !== null && `, values ${formatCount(array.least)} … ${formatCount(array.most ?? 0)}`}
          </p>
        ))}
        <Below name={name} part={part} axes={axes} number={number + 1} dimensions={dimensions} />
      </li>
    </ul>
  );
}

/** What SparseTIR calls the array of that role. */
const sparseTirName = (role: string): string => (role === 'pos' ? 'indptr' : role === 'crd' ? 'indices' : role);

function Offsets({ tensor, stored }: { readonly tensor: TensorView; readonly stored: StoredPartsView }) {
  const [chosen, setChosen] = useState(0);
  const { cells, parts } = stored;
  const known = cells === null || cells.coordinates.length > MOST ? null : cells;
  const entry = Math.min(chosen, (known?.coordinates.length ?? 1) - 1);
  const part = parts[known?.parts[entry] ?? -1];
  const place = known?.places[entry] ?? 0;
  const steps = part === undefined ? null : offsetSteps(part, place);
  if (known === null || part === undefined || steps === null) {
    return <p className="caption muted">Choose smaller data to follow one entry to its place.</p>;
  }
  return (
    <div className="axes-offsets">
      <label>
        Entry{' '}
        <select
          value={entry}
          aria-label={`Entry of ${tensor.name}`}
          onChange={(event) => setChosen(Number(event.target.value))}
        >
          {known.coordinates.map((at, number) => (
            <option key={number} value={number}>
              {tensor.name}({at.join(',')})
            </option>
          ))}
        </select>
      </label>
      <ol>
        {steps.map((step) => (
          <li key={step.axis}>
            <code>{step.kind}</code> at {step.coordinate}: <code>{stepText(step)}</code>
          </li>
        ))}
      </ol>
      <p data-offset={place}>
        {`Offset ${place}: the value stands at vals[${place}]${stored.expanded === '' ? '' : ` of ${part.name}`}.`}
      </p>
    </div>
  );
}

/** More entries are no list to choose from. */
const MOST = 200;
