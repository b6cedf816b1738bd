import { formatBytes, formatCount, formatNanoseconds } from '../../text/quantities';
import type { Swept } from '../../viz/decomposition/shares';
import { parseTree, placed } from '../../viz/decomposition/tree';

const STEP_X = 96;
const STEP_Y = 54;
const WIDTH = 76;
const HEIGHT = 30;
const LETTERS = 'ABCDEFGHK';

/** What is predicted of a role: a row of the answer before a run. */
export interface NodeFacts {
  readonly role: string;
  readonly rows: number;
  readonly seconds: number | null;
}

interface Props {
  readonly reuse: string;
  readonly rank: number;
  readonly nodes: readonly NodeFacts[];
  readonly history: readonly Swept[];
}

/** The partial products that modes share: each node is made once per sweep from the one above it. */
export function TreePicture({ reuse, rank, nodes, history }: Props) {
  const root = parseTree(reuse);
  if (root === null) return null;
  const drawn = placed(root);
  const width = (root.modes.length - 1) * STEP_X + WIDTH;
  const height = Math.max(...drawn.map(({ y }) => y)) * STEP_Y + HEIGHT;
  const factsOf = (role: string | null) => nodes.find((one) => one.role === role);
  const measured = (role: string): number | null => {
    const spent = history.flatMap(({ phases }) => phases[role] ?? []);
    return spent.length > 0 ? spent.reduce((sum, one) => sum + one, 0) / spent.length : null;
  };
  return (
    <section className="algorithm-panel" aria-label="Tree of partial products">
      <h2>Partial products that modes share</h2>
      <div className="scrolled" tabIndex={0} role="region" aria-label="Picture of the tree">
        <svg
          viewBox={`-2 -2 ${String(width + 4)} ${String(height + 4)}`}
          width={width}
          className="tree-picture"
          aria-hidden="true"
        >
          {drawn.map(({ source, x, y, role }) => {
            const above = source === null ? undefined : drawn[source];
            if (above === undefined) return null;
            return (
              <line
                key={role}
                x1={above.x * STEP_X + WIDTH / 2}
                y1={above.y * STEP_Y + HEIGHT}
                x2={x * STEP_X + WIDTH / 2}
                y2={y * STEP_Y}
              />
            );
          })}
          {drawn.map(({ x, y, role, modes }) => (
            <g key={role ?? 'X'} transform={`translate(${String(x * STEP_X)} ${String(y * STEP_Y)})`}>
              <rect width={WIDTH} height={HEIGHT} rx={4} className={role?.startsWith('tree') === true ? 'kept' : ''} />
              <text x={WIDTH / 2} y={HEIGHT / 2 + 4}>
                {role === null ? 'X' : modes.map((mode) => LETTERS[mode] ?? '').join('')}
              </text>
            </g>
          ))}
        </svg>
      </div>
      <div className="scrolled" tabIndex={0} role="region" aria-label="Table of the tree">
        <table>
          <caption>Each node is computed once per sweep from the node above it; filled ones are kept</caption>
          <thead>
            <tr>
              <th scope="col">Role</th>
              <th scope="col">Made from</th>
              <th scope="col">Rows</th>
              <th scope="col">Memory</th>
              <th scope="col">Predicted, one thread</th>
              <th scope="col">Measured</th>
            </tr>
          </thead>
          <tbody>
            {drawn.map(({ role, source }) => {
              if (role === null) return null;
              const facts = factsOf(role);
              const spent = measured(role);
              return (
                <tr key={role}>
                  <th scope="row">{role}</th>
                  <td>{(source === null ? null : drawn[source]?.role) ?? 'X'}</td>
                  <td>{facts === undefined ? '–' : formatCount(facts.rows)}</td>
                  <td>{facts === undefined || !role.startsWith('tree') ? '–' : formatBytes(8 * rank * facts.rows)}</td>
                  <td>{time(facts?.seconds ?? null)}</td>
                  <td>{time(spent)}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
    </section>
  );
}

const time = (seconds: number | null): string => (seconds === null ? '–' : formatNanoseconds(1e9 * seconds));
