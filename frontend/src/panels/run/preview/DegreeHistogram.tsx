import { useId } from 'react';
import type { DegreesView } from '../../../api/types';
import { rangeOf, slicesOf } from '../../../viz/preview';
import { formatCount } from '../../../text/quantities';

interface Props {
  readonly degrees: DegreesView;
  readonly order: number;
  /** Dimensions to choose from. */
  readonly count: number;
  readonly onChoose: (dimension: number) => void;
}

/** How many rows (columns, …) have how many entries, as a table whose bars are drawn behind the numbers. */
export function DegreeHistogram({ degrees, order, count, onChoose }: Props) {
  const id = useId();
  const tallest = Math.max(1, ...degrees.bins.map(({ slices }) => slices));
  const slices = slicesOf(degrees.dimension, order);
  return (
    <div className="preview-degrees">
      {count > 1 && (
        <span className="field">
          <label htmlFor={id}>Entries of</label>
          <select id={id} value={degrees.dimension} onChange={(event) => onChoose(Number(event.target.value))}>
            {Array.from({ length: count }, (_, dimension) => (
              <option key={dimension} value={dimension}>
                {slicesOf(dimension, order)}
              </option>
            ))}
          </select>
        </span>
      )}
      <table>
        <caption className="visually-hidden">How many {slices} have how many entries</caption>
        <thead>
          <tr>
            <th scope="col">Entries</th>
            <th scope="col">{order <= 2 ? (slices === 'columns' ? 'Columns' : 'Rows') : 'Coordinates'}</th>
          </tr>
        </thead>
        <tbody>
          {degrees.bins.map(({ least, most, slices: found }) => (
            <tr key={least}>
              <th scope="row">{rangeOf(least, most)}</th>
              <td>
                <span className="preview-bar" style={{ width: `${(found / tallest) * 100}%` }} aria-hidden="true" />
                <span className="preview-number">{formatCount(found)}</span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
