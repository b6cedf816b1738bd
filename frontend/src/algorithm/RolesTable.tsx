import type { DecompositionResult } from '../api/types';
import { formatCount } from '../text/quantities';
import { OpenRole } from './OpenRole';

/** Each kernel with how it was computed and why; *Open* is the very plan in the explorer. */
export function RolesTable({ result }: { readonly result: DecompositionResult }) {
  const { nnz } = result.input;
  const rank = result.weights.length;
  const products = result.roles.filter(({ atomics }) => Object.keys(atomics).length > 0);
  return (
    <>
      <section className="algorithm-panel" aria-label="Kernels">
        <h2>Kernels</h2>
        <div className="scrolled" tabIndex={0} role="region" aria-label="Table of kernels">
          <table>
            <thead>
              <tr>
                <th scope="col">Role</th>
                <th scope="col">Computes</th>
                <th scope="col">Format of X</th>
                <th scope="col">Method</th>
                <th scope="col">Why</th>
                <th scope="col">Plan</th>
              </tr>
            </thead>
            <tbody>
              {result.roles.map((role) => (
                <tr key={role.role}>
                  <th scope="row">{role.role}</th>
                  <td>
                    <code>{role.expression}</code>
                  </td>
                  <td>
                    <code>{role.format}</code>
                  </td>
                  <td>{role.method ?? (role.mode === null ? 'one' : 'as pinned')}</td>
                  <td className="why">{role.reasons.join(' ')}</td>
                  <td>
                    <OpenRole role={role.role} plan={role.plan} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
        <p className="caption muted" hidden={result.verification.length === 0}>
          {result.verification.length} kernels were compared with NumPy before the first sweep; the largest difference
          is {Math.max(...result.verification.map(({ max_error: error }) => error)).toExponential(1)} of the sum of
          magnitudes.
        </p>
      </section>
      <section className="algorithm-panel" aria-label="Atomic updates" hidden={products.length === 0}>
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
                <th scope="col">A, atomic</th>
                <th scope="col">B, tiled</th>
                <th scope="col">C, permuted</th>
                <th scope="col">Whole rows</th>
                <th scope="col">Ran</th>
              </tr>
            </thead>
            <tbody>
              {products.map(({ role, atomics, method }) => (
                <tr key={role}>
                  <th scope="row">{role}</th>
                  {['atomic', 'tiled', 'permuted', 'rows'].map((name) => (
                    <td key={name}>{formatCount(atomics[name] ?? 0)}</td>
                  ))}
                  <td>{method ?? 'as pinned'}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </section>
    </>
  );
}
