import { useId, useState } from 'react';
import type { DecompositionResult } from '../../api/types';
import { formatBytes, formatCount, threeDigits } from '../../text/quantities';
import { bytesOfProduct, largestRank } from '../../viz/decomposition/bandwidth';

/** What a product of the tensor must move, by a model, for any rank; and how fast the one that ran was. */
export function Bandwidth({ result }: { readonly result: DecompositionResult }) {
  const id = useId();
  const ran = result.weights.length;
  const [rank, setRank] = useState(ran);
  const { shape, nnz } = result.input;
  const bytes = bytesOfProduct(shape.length, nnz, rank);
  const swept = result.history.slice(1).length > 0 ? result.history.slice(1) : result.history;
  const products = result.roles.filter(({ role }) => role.startsWith('mttkrp.'));
  const stream = result.machine.stream_triad_gbps[String(result.threads)] ?? null;
  return (
    <section className="algorithm-panel" aria-label="Bandwidth">
      <h2>Bytes of one product</h2>
      <p>
        <label htmlFor={id}>Rank R</label>{' '}
        <input
          id={id}
          type="range"
          min={1}
          max={largestRank(ran)}
          value={rank}
          aria-valuetext={`rank ${String(rank)}`}
          onChange={(event) => setRank(Number(event.target.value))}
        />{' '}
        {rank}
      </p>
      <p>
        A model: each entry reads and writes (d·R + 3) values of 8 bytes and d coordinates of 4. ((d·R + 3)·8 + d·4)·P =
        (({shape.length}·{rank} + 3)·8 + {shape.length}·4)·{formatCount(nnz)} ={' '}
        <strong data-testid="bytes">{formatCount(bytes)}</strong> bytes, {formatBytes(bytes)}.
      </p>
      {rank === ran && products.length > 0 && (
        <table>
          <caption>As it ran, moving the same bytes</caption>
          <thead>
            <tr>
              <th scope="col">Role</th>
              <th scope="col">Milliseconds</th>
              <th scope="col">GB/s by the model</th>
              {stream !== null && <th scope="col">Of STREAM</th>}
            </tr>
          </thead>
          <tbody>
            {products.map(({ role }) => {
              const seconds = swept.reduce((sum, { phases }) => sum + (phases[role] ?? 0), 0) / swept.length;
              const rate = seconds > 0 ? bytes / seconds / 1e9 : 0;
              return (
                <tr key={role}>
                  <th scope="row">{role}</th>
                  <td>{(1000 * seconds).toFixed(3)}</td>
                  <td>{threeDigits(rate)}</td>
                  {stream !== null && <td>{((100 * rate) / stream).toFixed(0)} %</td>}
                </tr>
              );
            })}
          </tbody>
        </table>
      )}
      <p className="caption muted">
        Rows of factors that a cache holds are counted each time, so rates above that of memory are possible.
      </p>
    </section>
  );
}
