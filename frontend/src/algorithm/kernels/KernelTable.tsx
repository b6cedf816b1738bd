import type { AlgorithmView, DecompositionResult } from '../../api/types';
import { formatCount, formatNanoseconds } from '../../text/quantities';
import { usePhase } from '../pictures/use-phase';
import { OpenRole } from './OpenRole';

export type RoleRecord = DecompositionResult['roles'][number];
type Predicted = AlgorithmView['roles'][number];

interface Props {
  readonly label: string;
  readonly caption: string;
  readonly roles: readonly (RoleRecord | Predicted)[];
  /** What distinguishes its links from others to the same roles. */
  readonly when?: string;
}

/** Each kernel with how it is computed and why, and what a call is predicted to take where that is known; *Open* is the
 *  very plan in the explorer. */
export function KernelTable({ label, caption, roles, when = '' }: Props) {
  const predicted = roles.some((role) => 'work' in role);
  return (
    <div className="scrolled" tabIndex={0} role="region" aria-label={label}>
      <table>
        <caption>{caption}</caption>
        <thead>
          <tr>
            <th scope="col">Role</th>
            <th scope="col">Computes</th>
            <th scope="col">Format of X</th>
            <th scope="col">Method</th>
            {predicted && (
              <>
                <th scope="col">Work</th>
                <th scope="col">On one thread</th>
              </>
            )}
            <th scope="col">Why</th>
            <th scope="col">Plan</th>
          </tr>
        </thead>
        <tbody>
          {roles.map((role) => (
            <Row key={role.role} role={role} predicted={predicted} when={when} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface RowProps {
  readonly role: RoleRecord | Predicted;
  readonly predicted: boolean;
  readonly when: string;
}

/** The pointer, or the focus of its link, lights the role in the picture and in the bars. */
function Row({ role, predicted, when }: RowProps) {
  const lit = usePhase([role.role]);
  return (
    <tr {...lit}>
      <th scope="row">{role.role}</th>
      <td>
        <code>{role.expression}</code>
      </td>
      <td>
        <code>{role.format}</code>
      </td>
      <td>{role.method ?? (role.mode === null ? 'one' : 'as pinned')}</td>
      {predicted && <Costs role={role} />}
      <td className="why">{role.reasons.join(' ')}</td>
      <td>
        <OpenRole role={role.role} plan={role.plan} when={when} />
      </td>
    </tr>
  );
}

function Costs({ role }: Pick<RowProps, 'role'>) {
  if (!('work' in role)) return null;
  return (
    <>
      <td>{role.work === null ? '–' : formatCount(role.work)}</td>
      <td>{role.seconds === null ? '–' : formatNanoseconds(1e9 * role.seconds)}</td>
    </>
  );
}
