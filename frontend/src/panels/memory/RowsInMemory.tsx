import type { MemoryView } from '../../api/types';
import { addressOf, startsOf } from './layout';
import type { Cell } from './layout';

interface Props {
  readonly view: MemoryView;
  readonly lengths: readonly number[];
  readonly chosen: Cell | null;
  readonly onChoose: (cell: Cell) => void;
}

/** The rows, the flat buffer below them, and the address of the element that is chosen. */
export function RowsInMemory({ view, lengths, chosen, onChoose }: Props) {
  const starts = startsOf(lengths);
  const marked = chosen === null ? -1 : addressOf(lengths, chosen.row, chosen.place);
  return (
    <>
      <div className="memory-scroll" role="region" aria-label="Rows" tabIndex={0}>
        <ol className="memory-rows" start={0}>
          {lengths.map((length, row) => (
            <li key={row}>
              <span className="memory-label">{`row ${row}`}</span>
              {length === 0 && <span className="muted">empty</span>}
              {Array.from({ length }, (_, place) => (
                <button
                  type="button"
                  key={place}
                  className={`memory-cell memory-tone-${row % 4}`}
                  aria-pressed={chosen?.row === row && chosen.place === place}
                  aria-label={`Element ${place} of row ${row}`}
                  onClick={() => onChoose({ row, place })}
                >
                  {place}
                </button>
              ))}
            </li>
          ))}
        </ol>
      </div>
      <div className="memory-scroll" role="region" aria-label="Flat buffer" tabIndex={0}>
        <ol className="memory-buffer" start={0}>
          {lengths.flatMap((length, row) =>
            Array.from({ length }, (_, place) => {
              const address = (starts[row] ?? 0) + place;
              return (
                <li
                  key={address}
                  className={`memory-cell memory-tone-${row % 4}`}
                  data-address={address}
                  data-marked={address === marked ? true : undefined}
                >
                  <span className="visually-hidden">{`row ${row}, element ${place}, at `}</span>
                  {address}
                </li>
              );
            }),
          )}
        </ol>
      </div>
      {chosen !== null && <Address view={view} lengths={lengths} cell={chosen} />}
      <p className="caption muted">
        {view.bytes === view.bytes_apart
          ? `A record has ${view.bytes} bytes.`
          : `A record has ${view.bytes} bytes, of which ${view.bytes - view.bytes_apart} are padding; stored as separate arrays, its fields take ${view.bytes_apart}.`}
      </p>
    </>
  );
}

function Address({
  view,
  lengths,
  cell,
}: {
  readonly view: MemoryView;
  readonly lengths: readonly number[];
  readonly cell: Cell;
}) {
  const { row, place } = cell;
  const front = lengths.slice(0, row);
  const sum = front.length === 0 ? '0' : front.join(' + ');
  // The formula's own numbers, where the lengths are those that it was evaluated for.
  const start = lengths === view.rows ? view.starts[row] : startsOf(lengths)[row];
  return (
    <p className="memory-address" role="status" data-row={row} data-place={place}>
      {`Element (${row}, ${place}) is at `}
      <code>{`${view.start} + j`}</code>
      {` = ${start} + ${place} = `}
      <strong data-address={(start ?? 0) + place}>{(start ?? 0) + place}</strong>
      {`: ${sum}${front.length > 1 ? ` = ${addressOf(lengths, row, 0)}` : ''} in the rows before it, and ${place} before it in its own row.`}
    </p>
  );
}
