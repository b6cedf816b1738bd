import { useMemo, useState } from 'react';
import type { RemappingView, StoredPartsView } from '../../api/types';
import { counted, formatCount } from '../../text/quantities';
import { shortValue } from '../../viz/composition/parts';
import { CELL } from '../../viz/composition/picture';
import { backText, countersOf, forwardText, gridOf, movesOf, tupleText } from '../../viz/composition/remapping';
import type { Move } from '../../viz/composition/remapping';
import { Conversion } from './Conversion';
import { moveFocus } from './move-focus';
import { kindOf, paintOf } from './PartPatterns';

interface Props {
  readonly name: string;
  readonly stored: StoredPartsView;
  readonly dimensions: readonly string[];
}

const ROWS = 200;

/** What a part makes of coordinates, entry by entry: diagonals shear the grid, slots count the entries of a row. */
export function Remapping({ name, stored, dimensions }: Props) {
  const first = stored.parts.findIndex(({ remapping }) => (remapping?.entries.length ?? 0) > 0);
  const [chosen, setChosen] = useState(Math.max(0, first));
  const part = stored.parts[chosen];
  if (stored.cells === null || part === undefined) return null;
  return (
    <section className="composition-part" aria-label="Remapping">
      <h3>Coordinates that the places are ordered by</h3>
      {stored.parts.length > 1 && (
        <div className="composition-choices">
          <label>
            Part{' '}
            <select
              aria-label="Part that is remapped"
              value={chosen}
              onChange={(event) => setChosen(Number(event.target.value))}
            >
              {stored.parts.map(({ name: own }, place) => (
                <option key={own} value={place}>
                  {own}
                </option>
              ))}
            </select>
          </label>
        </div>
      )}
      {part.remapping === null ? (
        <p className="muted">
          {part.slots === null
            ? `${formatCount(part.places)} places are too many to follow one by one.`
            : `The places of ${part.layout} are in no order of coordinates: they are searched for or looked up.`}
        </p>
      ) : (
        <Remapped
          key={part.name}
          name={name}
          stored={stored}
          part={chosen}
          remapping={part.remapping}
          dimensions={dimensions}
        />
      )}
    </section>
  );
}

interface RemappedProps extends Props {
  readonly part: number;
  readonly remapping: RemappingView;
}

function Remapped({ name, stored, part, remapping, dimensions }: RemappedProps) {
  const moves = useMemo(() => movesOf(stored, remapping), [stored, remapping]);
  const [moved, setMoved] = useState(moves.length);
  const [pointed, setPointed] = useState<number | null>(null);
  const own = stored.parts[part];
  const say = (move: Move | undefined): string => {
    if (move === undefined) return '';
    const value = shortValue(stored.cells?.values[move.entry] ?? '');
    return `${name}(${move.at.join(',')}) = ${value} goes to ${tupleText(remapping, move.to, dimensions)}, place ${stored.cells?.places[move.entry] ?? ''}.`;
  };
  return (
    <>
      <p>
        <code className="composition-map">{forwardText(remapping, dimensions)}</code>{' '}
        <span className="muted">back:</span> <code className="composition-map">{backText(remapping, dimensions)}</code>
      </p>
      <RemappedPicture
        name={name}
        stored={stored}
        part={part}
        remapping={remapping}
        dimensions={dimensions}
        moves={moves}
        moved={moved}
        pointed={pointed}
        onPoint={setPointed}
      />
      {moves.length > 0 && (
        <Conversion
          name="Remapping"
          counts="Entries that are remapped"
          entries={moves.length}
          moved={moved}
          onMove={setMoved}
          said={say(moves[moved - 1])}
        />
      )}
      <p className="remapping-said" aria-live="polite">
        {pointed === null ? '' : say(moves[pointed])}
      </p>
      <p className="caption muted">
        {remapping.in_order
          ? `Sorted by these coordinates, ${counted(moves.length, 'entry', 'entries')} of ${own?.name ?? ''} ${moves.length === 1 ? 'stands' : 'stand'} in the order of the places`
          : 'The places are in another order than these coordinates'}
        {remapping.exact ? ', and the way back leads to where each entry was.' : '; the way back does not lead there.'}
      </p>
      <details className="text-equivalent">
        <summary>As text</summary>
        <table className="composition-table">
          <caption className="visually-hidden">{`The coordinates of ${own?.name ?? ''}, old and new`}</caption>
          <thead>
            <tr>
              <th scope="col">Entry</th>
              <th scope="col">Remapped</th>
              <th scope="col">Place</th>
            </tr>
          </thead>
          <tbody>
            {moves.slice(0, ROWS).map((move) => (
              <tr key={move.entry}>
                <td>{`${name}(${move.at.join(',')})`}</td>
                <td>{tupleText(remapping, move.to, dimensions)}</td>
                <td>{stored.cells?.places[move.entry]}</td>
              </tr>
            ))}
          </tbody>
        </table>
        {moves.length > ROWS && <p className="muted">{`… and ${formatCount(moves.length - ROWS)} more.`}</p>}
      </details>
    </>
  );
}

interface PictureProps extends RemappedProps {
  readonly moves: readonly Move[];
  readonly moved: number;
  readonly pointed: number | null;
  readonly onPoint: (place: number | null) => void;
}

function RemappedPicture(props: PictureProps) {
  const { name, stored, part, remapping, dimensions, moves, moved, pointed, onPoint } = props;
  const grid = gridOf(stored, remapping);
  if (grid === null) return <p className="muted">The grid is too large to draw; the text below has the coordinates.</p>;
  const counters = countersOf(remapping, moved);
  return (
    <div className="composition-scroll">
      <svg
        className="composition-picture"
        width={grid.width + (counters === null ? 0 : 72)}
        height={grid.height}
        role="group"
        aria-label={`The entries of ${stored.parts[part]?.name ?? ''} by their new coordinates`}
        onPointerLeave={() => onPoint(null)}
        onBlur={() => onPoint(null)}
        onKeyDown={moveFocus}
      >
        {grid.columns.map(({ x, label }) => (
          <text key={label} x={x + CELL / 2} y={grid.top - 6} className="composition-axis" aria-hidden="true">
            {label}
          </text>
        ))}
        {grid.rows.map(({ y, label }) => (
          <text
            key={label}
            x={grid.left - 6}
            y={y + CELL / 2 + 4}
            className="composition-axis composition-row"
            aria-hidden="true"
          >
            {label}
          </text>
        ))}
        {grid.rows.flatMap(({ y, label }) =>
          grid.columns.map((column) => (
            <rect
              key={`${label} ${column.label}`}
              x={column.x}
              y={y}
              width={CELL}
              height={CELL}
              className="composition-empty"
            />
          )),
        )}
        <g data-elements="">
          {moves.map((move, place) => {
            const gone = place < moved;
            const value = shortValue(stored.cells?.values[move.entry] ?? '');
            return (
              <g
                key={move.entry}
                role="img"
                tabIndex={place === 0 ? 0 : -1}
                aria-label={`${name}(${move.at.join(',')}) = ${value}, ${gone ? `at ${tupleText(remapping, move.to, dimensions)}` : 'where it was'}`}
                className="composition-entry composition-remapped"
                data-kind={kindOf(part)}
                data-lit={pointed === place ? '' : undefined}
                style={{
                  transform: `translate(${gone ? move.toX : move.fromX}px, ${gone ? move.toY : move.fromY}px)`,
                }}
                onPointerEnter={() => onPoint(place)}
                onFocus={() => onPoint(place)}
              >
                <rect width={CELL} height={CELL} fill={gone ? paintOf(part) : undefined} />
                <text x={CELL / 2} y={CELL / 2}>
                  {value}
                </text>
              </g>
            );
          })}
        </g>
        {counters !== null &&
          grid.rows.map(({ y, label }, row) => (
            <text key={label} x={grid.width + 4} y={y + CELL / 2 + 4} className="composition-axis composition-counter">
              {`#${label} = ${counters.get(row) ?? 0}`}
            </text>
          ))}
      </svg>
    </div>
  );
}
