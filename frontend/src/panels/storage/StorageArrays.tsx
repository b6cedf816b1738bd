import type { StorageArrayView } from '../../api/types';
import { linkId, useLinked } from '../../state/links';
import { elementKey } from '../../viz/storage/keys';
import type { StorageModel } from '../../viz/storage/marks';
import { shortNumber } from '../../viz/storage/tree';
import { bytesText } from './bytes';
import './elements.css';

const MEANING = {
  segments: 'where the segment of each parent starts',
  positions: 'one for each position',
  parents: 'one for each parent',
  places: 'the row at each position',
  level: 'for the level as a whole',
} as const;

/** Every array as it lies in memory, element by element. */
export default function StorageArrays({ name, model }: { readonly name: string; readonly model: StorageModel }) {
  return (
    <section className="storage-part" aria-label="Arrays">
      <h3>Arrays</h3>
      {model.tensor.arrays.map((array) => (
        <ArrayRow key={array.name} name={name} array={array} />
      ))}
    </section>
  );
}

function ArrayRow({ name, array }: { readonly name: string; readonly array: StorageArrayView }) {
  const { props: link } = useLinked(array.level === 0 ? linkId.tensor(name) : linkId.level(name, array.level));
  const missing = array.size - array.values.length;
  return (
    <div className="storage-array">
      <button type="button" className="name-button storage-array-name" {...link} data-tip={MEANING[array.indexed_by]}>
        {array.name}
        <span className="muted">
          {array.size.toLocaleString('en')} · {bytesText(array.bytes)}
        </span>
      </button>
      <div
        className="storage-elements"
        role="group"
        aria-label={`${array.name}, ${MEANING[array.indexed_by]}`}
        data-elements=""
      >
        {array.values.map((value, element) => (
          <span
            key={element}
            className="storage-element"
            role="img"
            tabIndex={element === 0 ? 0 : -1}
            aria-label={`${array.name}[${element}] = ${value}`}
            data-key={elementKey(array.name, element)}
          >
            <span className="storage-index">{element}</span>
            {shortNumber(value)}
          </span>
        ))}
        {missing > 0 && <span className="muted storage-more">… {missing.toLocaleString('en')} more</span>}
        {array.size === 0 && <span className="muted storage-more">empty</span>}
      </div>
    </div>
  );
}
