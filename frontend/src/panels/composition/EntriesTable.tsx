import type { StoredPartsView } from '../../api/types';
import { formatCount } from '../../text/quantities';
import { shortValue } from '../../viz/composition/parts';

interface Props {
  readonly name: string;
  readonly stored: StoredPartsView;
  readonly dimensions: readonly string[];
}

const ROWS = 200;

/** The picture in words: each entry with its part and its place there. */
export function EntriesTable({ name, stored, dimensions }: Props) {
  const { cells, parts } = stored;
  if (cells === null) return null;
  return (
    <details className="text-equivalent">
      <summary>As text</summary>
      <table className="composition-table">
        <caption className="visually-hidden">{`The entries of ${name} with their parts`}</caption>
        <thead>
          <tr>
            {dimensions.map((dimension) => (
              <th scope="col" key={dimension}>
                {dimension}
              </th>
            ))}
            <th scope="col">Value</th>
            <th scope="col">Part</th>
            <th scope="col">Place</th>
          </tr>
        </thead>
        <tbody>
          {cells.coordinates.slice(0, ROWS).map((at, entry) => (
            <tr key={entry}>
              {at.map((coordinate, dimension) => (
                <td key={dimension}>{coordinate}</td>
              ))}
              <td>{shortValue(cells.values[entry] ?? '')}</td>
              <td>{parts[cells.parts[entry] ?? -1]?.name}</td>
              <td>{cells.places[entry]}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {stored.entries > ROWS && <p className="muted">{`… and ${formatCount(stored.entries - ROWS)} more.`}</p>}
    </details>
  );
}
