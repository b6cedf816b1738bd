import { useState } from 'react';
import type { LevelKindView, StorageLevelView } from '../../api/types';
import { useCatalog } from '../../state/catalog';
import { useSelect, useStore } from '../../state/store';
import { builtLevels, formatText, storedOrder, withDimensionMoved } from '../../viz/storage/build-format';
import type { BuiltLevel } from '../../viz/storage/build-format';
import { partsExplained } from '../../viz/storage/level-parts';
import './level-builder.css';
import LevelRow from './LevelRow';

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
  const move = (dimension: number, place: number): void => write(withDimensionMoved(built, dimension, place));
  const order = storedOrder(built);
  const explained = partsExplained(built, dimensions);
  return (
    <>
      <ol
        className="level-builder"
        aria-label={`Levels of ${name}, outermost first`}
        data-parts={built.length > order.length ? '' : undefined}
      >
        {built.map((level, index) => (
          <li
            key={index}
            className="level-row"
            onDragOver={(event) => {
              if (dragged !== null) event.preventDefault();
            }}
            onDrop={(event) => {
              event.preventDefault();
              if (dragged !== null) move(dragged, order.indexOf(level.dimension));
              setDragged(null);
            }}
          >
            <LevelRow
              name={name}
              built={built}
              index={index}
              variables={dimensions}
              choices={levels[index]?.choices ?? []}
              kinds={kinds}
              onWrite={write}
              onMove={move}
              onDrag={setDragged}
            />
          </li>
        ))}
      </ol>
      {explained.length > 0 && <p className="muted caption">{explained.join(' ')}</p>}
    </>
  );
}
