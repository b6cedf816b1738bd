import { useState } from 'react';
import type { CompileView, MemoryView } from '../../api/types';
import { Derivation } from './Derivation';
import { LengthEditor } from './LengthEditor';
import { existing } from './layout';
import type { Cell } from './layout';
import { RowsInMemory } from './RowsInMemory';
import './memory.css';

/** Types as memory: rows of different lengths, the buffer that they lie in, and how addresses are found. */
export default function MemoryPanel({ result }: { readonly result: CompileView }) {
  const [chosen, choose] = useState('');
  const memory = result.patterns?.memory ?? [];
  const view = memory.find(({ name }) => name === chosen) ?? memory.at(-1);
  if (view === undefined) {
    return (
      <p className="panel-message muted">
        All rows of this program have one length, so that the address of an element is a product and a sum. A type as{' '}
        <code>
          [i -&gt; [float]_{'{'}i+1{'}'}]_n
        </code>{' '}
        has rows of different lengths.
      </p>
    );
  }
  return (
    <section className="memory-panel" aria-label="Types as memory">
      {memory.length > 1 && (
        <label>
          Array{' '}
          <select value={view.name} onChange={(event) => choose(event.target.value)}>
            {memory.map(({ name }) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </label>
      )}
      <h3>
        <code>{`${view.name}: ${view.type}`}</code>
      </h3>
      <OneArray key={`${view.name} ${view.length}`} view={view} text={String(result.plan.expression)} />
    </section>
  );
}

function OneArray({ view, text }: { readonly view: MemoryView; readonly text: string }) {
  const [lengths, setLengths] = useState<readonly number[]>(view.rows);
  const [wanted, choose] = useState<Cell>({ row: 2, place: 1 });
  return (
    <>
      <LengthEditor view={view} text={text} lengths={lengths} onChange={setLengths} />
      {view.rows.length === 0 ? (
        <p className="muted">No small example has rows of these lengths.</p>
      ) : (
        <RowsInMemory view={view} lengths={lengths} chosen={existing(lengths, wanted)} onChoose={choose} />
      )}
      <Derivation view={view} lengths={lengths} />
    </>
  );
}
