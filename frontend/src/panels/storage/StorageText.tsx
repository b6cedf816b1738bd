import { useId } from 'react';
import type { Place, StorageModel } from '../../viz/storage/marks';

interface Props {
  readonly name: string;
  readonly model: StorageModel;
  readonly dimensions: readonly string[];
  /** What is pointed at or pinned. */
  readonly place: Place | null;
}

/** What is pointed at in words, and the whole picture as a table. */
export default function StorageText({ name, model, dimensions, place }: Props) {
  const id = useId();
  const { tensor } = model;
  const shown = tensor.leaves.slice(0, ROWS);
  return (
    <div className="storage-part storage-words">
      <p className="storage-said" aria-live="polite">
        {place === null
          ? 'Point at a node, an element or a cell; click to keep it highlighted.'
          : sentence(model, name, dimensions, place)}
      </p>
      <details className="text-equivalent">
        <summary>As text</summary>
        <table aria-describedby={id}>
          <caption id={id}>{`${name} in ${tensor.levels_text || 'dense'}: stored values in memory order`}</caption>
          <thead>
            <tr>
              <th scope="col">Position</th>
              {dimensions.map((dimension) => (
                <th scope="col" key={dimension}>
                  {dimension}
                </th>
              ))}
              <th scope="col">Value</th>
              <th scope="col">What</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((leaf) => (
              <tr key={leaf.position}>
                <th scope="row">{leaf.position}</th>
                {leaf.coordinates.map((coordinate, index) => (
                  <td key={index}>{coordinate}</td>
                ))}
                <td>{String(leaf.value)}</td>
                <td>{leaf.entry ? 'entry' : 'padding'}</td>
              </tr>
            ))}
          </tbody>
        </table>
        {tensor.stored > shown.length && (
          <p className="muted">{`… and ${(tensor.stored - shown.length).toLocaleString('en')} more.`}</p>
        )}
      </details>
    </div>
  );
}

const ROWS = 200;

/** E.g. `vals[4] = 1 at A(2,5): level 2 position 4, in the segment pos2[2] … pos2[3] = 2 … 5`. */
function sentence(model: StorageModel, name: string, dimensions: readonly string[], place: Place): string {
  const { tensor } = model;
  const level = tensor.levels[place.depth];
  const index = level?.node_positions.indexOf(place.position) ?? -1;
  const coordinate = level?.node_coordinates[index] ?? 0;
  const variable = dimensions[level?.dimension ?? -1] ?? '';
  const leaf =
    place.depth === tensor.levels.length - 1 ? tensor.leaves.find((one) => one.position === place.position) : undefined;
  const values = tensor.arrays.find((array) => array.level === 0);
  const start = leaf
    ? `${values?.name ?? 'vals'}[${place.position}] = ${leaf.value} is ${name}(${leaf.coordinates.join(',')})${leaf.entry ? '' : ', padding'}: `
    : '';
  const parent = level?.node_parents[index] ?? 0;
  const offsets = tensor.arrays.find((array) => array.level === place.depth + 1 && array.indexed_by === 'segments');
  const segment = offsets
    ? `, in the segment ${offsets.name}[${parent}] … ${offsets.name}[${parent + 1}] = ${offsets.values[parent]} … ${offsets.values[parent + 1]}`
    : '';
  return `${start}level ${place.depth + 1}, ${variable} = ${coordinate} at position ${place.position}${segment}.`;
}
