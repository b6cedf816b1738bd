import { useState } from 'react';
import type { LevelKindView, StorageLevelView } from '../../api/types';
import { useCatalog } from '../../state/catalog';
import { linkId, useLinked } from '../../state/links';
import { useSelect, useStore } from '../../state/store';
import { builtLevels, formatText, withDimensionMoved, withKind, withProperty } from '../../viz/storage/build-format';
import type { BuiltLevel } from '../../viz/storage/build-format';
import './level-builder.css';

interface Props {
  readonly name: string;
  readonly levels: readonly StorageLevelView[];
  readonly kinds: readonly LevelKindView[];
  /** Index variables by dimension. */
  readonly dimensions: readonly string[];
}

/** What the builder wrote last: a change that follows at once starts from it, not from levels that come later. */
interface Written {
  readonly text: string;
  readonly levels: readonly BuiltLevel[];
}

/** One row for each level, outermost first: what it stores, with which properties, and of which dimension. */
export default function LevelBuilder({ name, levels, kinds, dimensions }: Props) {
  const store = useStore();
  const presets = useCatalog((catalog) => catalog.formats);
  const [dragged, setDragged] = useState<number | null>(null);
  const [written, setWritten] = useState<Written | null>(null);
  const text = useSelect((state) => state.draft.tensors[name]?.format);
  const built = written !== null && written.text === text ? written.levels : builtLevels(levels);
  const write = (next: readonly BuiltLevel[]): void => {
    const text = formatText(next, presets);
    setWritten({ text, levels: next });
    store.update({ kind: 'format', tensor: name, text });
  };
  const move = (from: number, to: number): void => write(withDimensionMoved(built, from, to));
  if (levels.length !== dimensions.length)
    return <p className="muted caption">This format stores blocks; choose another one to build its levels by hand.</p>;
  return (
    <ol className="level-builder" aria-label={`Levels of ${name}, outermost first`}>
      {built.map((level, index) => (
        <li
          key={index}
          className="level-row"
          onDragOver={(event) => {
            if (dragged !== null) event.preventDefault();
          }}
          onDrop={(event) => {
            event.preventDefault();
            if (dragged !== null) move(dragged, index);
            setDragged(null);
          }}
        >
          <span className="level-number">{index + 1}</span>
          <Dimension
            name={name}
            index={index}
            variable={dimensions[level.dimension] ?? String(level.dimension)}
            onDrag={(on) => setDragged(on ? index : null)}
          />
          <button
            type="button"
            className="level-move"
            aria-label={`Move dimension ${dimensions[level.dimension] ?? ''} outwards`}
            disabled={index === 0}
            onClick={() => move(index, index - 1)}
          >
            ↑
          </button>
          <button
            type="button"
            className="level-move"
            aria-label={`Move dimension ${dimensions[level.dimension] ?? ''} inwards`}
            disabled={index === built.length - 1}
            onClick={() => move(index, index + 1)}
          >
            ↓
          </button>
          <select
            aria-label={`Kind of level ${index + 1}`}
            title={kinds.find((kind) => kind.name === level.kind)?.summary}
            value={level.kind}
            onChange={(event) => write(withKind(built, index, event.target.value))}
          >
            {kinds.every((kind) => kind.name !== level.kind) && <option>{level.kind}</option>}
            {kinds.map((kind) => (
              <option key={kind.name} title={kind.summary}>
                {kind.name}
              </option>
            ))}
          </select>
          {level.kind !== 'dense' && (
            <>
              <Property
                title="unique"
                hint="A coordinate stands at most once below each parent"
                on={level.unique}
                onChange={(unique) => write(withProperty(built, index, { unique }))}
              />
              <Property
                title="ordered"
                hint="Coordinates ascend below each parent"
                on={level.ordered}
                onChange={(ordered) => write(withProperty(built, index, { ordered }))}
              />
            </>
          )}
        </li>
      ))}
    </ol>
  );
}

interface DimensionProps {
  readonly name: string;
  readonly index: number;
  readonly variable: string;
  readonly onDrag: (on: boolean) => void;
}

function Dimension({ name, index, variable, onDrag }: DimensionProps) {
  const { props: link } = useLinked([linkId.level(name, index + 1), linkId.variable(variable)]);
  return (
    <button
      type="button"
      className="level-dimension"
      draggable
      title="Drag onto another level to store the dimensions in another order"
      aria-label={`Level ${index + 1} stores dimension ${variable}`}
      {...link}
      onDragStart={(event) => {
        event.dataTransfer.setData('text/plain', variable);
        event.dataTransfer.effectAllowed = 'move';
        onDrag(true);
      }}
      onDragEnd={() => onDrag(false)}
    >
      ⠿ {variable}
    </button>
  );
}

interface PropertyProps {
  readonly title: string;
  readonly hint: string;
  readonly on: boolean;
  readonly onChange: (on: boolean) => void;
}

function Property({ title, hint, on, onChange }: PropertyProps) {
  return (
    <label className="level-property" title={hint}>
      <input type="checkbox" checked={on} onChange={(event) => onChange(event.target.checked)} />
      {title}
    </label>
  );
}
