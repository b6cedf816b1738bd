import type { RoleName } from '../../api/types';
import { ROLES } from '../../components/code/roles';

interface Properties {
  readonly present: ReadonlySet<RoleName>;
  readonly hidden: ReadonlySet<RoleName>;
  readonly onToggle: (role: RoleName) => void;
}

/** The mathematics itself is what has no colour. */
const COLOURED = ROLES.filter(({ name }) => name !== 'compute');

/** What the colours and icons mean; pressing one hides its colour. Roles that do not occur are not listed. */
export default function Legend({ present, hidden, onToggle }: Properties) {
  return (
    <div className="code-legend" role="group" aria-label="Roles of the code">
      {COLOURED.filter((role) => present.has(role.name)).map((role) => (
        <button
          key={role.name}
          type="button"
          className="legend-role"
          aria-pressed={!hidden.has(role.name)}
          data-tip={role.meaning}
          onClick={() => onToggle(role.name)}
        >
          <span className={`legend-icon role-${role.name}`} aria-hidden="true">
            {role.icon}
          </span>
          {role.name}
        </button>
      ))}
    </div>
  );
}
