import type { AlgorithmView } from '../api/types';
import { formatBytes, formatCount, formatNanoseconds } from '../text/quantities';
import { KernelTable } from './kernels/KernelTable';
import type { Prediction } from './use-prediction';

interface Props {
  readonly prediction: Prediction;
  readonly rank: number;
  /** Whether there is a result below, with how its kernels were computed. */
  readonly ran: boolean;
}

type Role = AlgorithmView['roles'][number];

/** What will be done, before it is: how each kernel is computed and why, and what other methods would take. */
export function Predicted({ prediction, rank, ran }: Props) {
  const { view, problem, waiting } = prediction;
  const refused = view?.diagnostics.map(({ message }) => message).join(' ') ?? '';
  const said = problem ?? refused;
  return (
    <section className="algorithm-panel" aria-label="Before a run" aria-busy={waiting}>
      <h2>Before a run</h2>
      {said !== '' && !waiting && <p className="complaint">{said}</p>}
      {view === null || !view.ok ? (
        waiting && <p className="muted">Looking at the tensor …</p>
      ) : (
        <div>
          {waiting && <p className="muted">Looking at the tensor again …</p>}
          <Sentence view={view} rank={rank} />
          <details open={!ran}>
            <summary>Kernels as they will be computed, and what other methods would take</summary>
            <KernelTable
              label="Table of predictions"
              caption="How each kernel will be computed, and what one call is predicted to take"
              roles={view.roles}
              when="as predicted"
            />
            <Methods roles={view.roles.filter(({ methods }) => methods.length > 0)} />
          </details>
        </div>
      )}
    </section>
  );
}

function Sentence({ view, rank }: { readonly view: AlgorithmView; readonly rank: number }) {
  const work = view.roles.reduce((sum, role) => sum + (role.work ?? 0), 0);
  const seconds = view.roles.reduce((sum, role) => sum + (role.seconds ?? 0), 0);
  const copies = view.roles.reduce((sum, role) => sum + role.bytes, 0);
  return (
    <p>
      X has {view.input?.shape.map(formatCount).join(' × ')} places and {formatCount(view.input?.nnz ?? 0)} entries. A
      sweep of rank {rank} multiplies and adds {formatCount(work)} times, which is predicted to take{' '}
      {formatNanoseconds(1e9 * seconds)} on one thread. Factors and products take {formatBytes(view.factor_bytes)},
      copies of the tensor {formatBytes(copies)}.
    </p>
  );
}

/** Memory and atomic updates of every method in every mode, so that a person can weigh them. */
function Methods({ roles }: { readonly roles: readonly Role[] }) {
  const first = roles[0];
  if (first === undefined) return null;
  return (
    <div className="scrolled" tabIndex={0} role="region" aria-label="Table of methods">
      <table>
        <caption>What each method would take: bytes beside the shared entries, and atomic updates of one call</caption>
        <thead>
          <tr>
            <th scope="col">Method</th>
            {roles.map(({ role }) => (
              <th scope="col" key={role}>
                {role}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {first.methods.map(({ name, allowed }, place) => (
            <tr key={name}>
              <th scope="row">
                {name}
                {!allowed && <span className="muted"> (not to equal bits)</span>}
              </th>
              {roles.map(({ role, methods, method }) => {
                const cost = methods[place];
                return (
                  <td key={role}>
                    {formatBytes(cost?.bytes ?? 0)}, {formatCount(cost?.atomics ?? 0)} atomics
                    {method === name && <strong> chosen</strong>}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
