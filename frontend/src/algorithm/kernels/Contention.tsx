import { useState } from 'react';
import type { DecompositionResult } from '../../api/types';
import { SelectField } from '../../components/SelectField';
import { counted, formatCount } from '../../text/quantities';
import { cellsOf, largestOf } from '../../viz/decomposition/heat';
import type { RoleRecord } from './KernelTable';

const METHODS = [
  ['atomic', 'A, atomic'],
  ['tiled', 'B, tiled'],
  ['permuted', 'C, permuted'],
  ['rows', 'Whole rows'],
] as const;
const CELL_WIDTH = 6;
const CELL_HEIGHT = 9;
const FAINTEST = 0.15;

/** How often each method updates rows atomically, by its formula, and which rows these are (docs/sources.toml V16). */
export function Contention({ result }: { readonly result: DecompositionResult }) {
  const { nnz } = result.input;
  const rank = result.weights.length;
  const products = result.roles.filter(({ atomics }) => Object.keys(atomics).length > 0);
  if (products.length === 0) return null;
  return (
    <section className="algorithm-panel" aria-label="Atomic updates">
      <h2>Atomic updates of one call</h2>
      <p>
        A, each entry by itself: P·R = {formatCount(nnz)} · {rank} = {formatCount(nnz * rank)}. B, in the order of the
        coordinates: one for each row that a chunk touches. C, in the order of the rows: at most 2 per chunk, times R.
        Whole rows need none.
      </p>
      <div className="scrolled" tabIndex={0} role="region" aria-label="Table of atomic updates">
        <table>
          <thead>
            <tr>
              <th scope="col">Role</th>
              {METHODS.map(([name, title]) => (
                <th scope="col" key={name}>
                  {title}
                </th>
              ))}
              <th scope="col">Ran</th>
            </tr>
          </thead>
          <tbody>
            {products.map(({ role, atomics, method }) => (
              <tr key={role}>
                <th scope="row">{role}</th>
                {METHODS.map(([name]) => (
                  <td key={name}>{formatCount(atomics[name] ?? 0)}</td>
                ))}
                <td>{method ?? 'as pinned'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <WritesOfRows products={products} rank={rank} />
    </section>
  );
}

/** One mode: a picture for each method, rows from left to right, entries from above in the order they are taken. */
function WritesOfRows({ products, rank }: { readonly products: readonly RoleRecord[]; readonly rank: number }) {
  const [chosen, setChosen] = useState('');
  const product = products.find(({ role }) => role === chosen) ?? products[0];
  const writes = product?.writes ?? {};
  if (product === undefined || Object.keys(writes).length === 0) return null;
  const largest = largestOf(Object.values(writes).map(({ blocks }) => blocks));
  return (
    <>
      <SelectField label="Rows of" value={product.role} onChange={setChosen}>
        {products.map(({ role }) => (
          <option key={role} value={role}>
            {role}
          </option>
        ))}
      </SelectField>
      <p className="caption muted">
        Rows of the result from left to right, entries downwards in the order in which they are taken; the darker, the
        more updates. All pictures have one scale, up to {formatCount(largest)}.
      </p>
      <ul className="row-writes">
        {METHODS.map(([name, title]) => {
          const found = writes[name];
          return (
            <li key={name} data-method={name}>
              <strong>{title}</strong>
              <Heat blocks={found?.blocks ?? []} largest={largest} />
              <span className="caption">
                {found === undefined
                  ? 'No row is updated atomically.'
                  : `${counted(found.count, 'update')} of ${counted(found.rows, 'row')}, times R = ${formatCount(found.count * rank)}; most of row ${formatCount(found.busiest)}: ${formatCount(found.most)}.`}
              </span>
            </li>
          );
        })}
        <li data-method="duplicated">
          <strong>Copies</strong>
          <span className="caption">
            No row is updated atomically: each is added up from 8 copies of the result, whatever the entries are.
          </span>
        </li>
      </ul>
    </>
  );
}

function Heat({ blocks, largest }: { readonly blocks: readonly (readonly number[])[]; readonly largest: number }) {
  const [first] = blocks;
  if (first === undefined) return null;
  const [width, height] = [first.length * CELL_WIDTH, blocks.length * CELL_HEIGHT];
  return (
    <svg viewBox={`0 0 ${String(width)} ${String(height)}`} width={width} height={height} aria-hidden="true">
      {cellsOf(blocks, largest).map(({ x, y, share }) => (
        <rect
          key={`${String(x)} ${String(y)}`}
          x={x * CELL_WIDTH}
          y={y * CELL_HEIGHT}
          width={CELL_WIDTH}
          height={CELL_HEIGHT}
          opacity={FAINTEST + (1 - FAINTEST) * share}
        />
      ))}
    </svg>
  );
}
