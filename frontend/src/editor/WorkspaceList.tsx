import type { TemporaryView } from '../api/types';
import { linkId, useLinked } from '../state/links';
import { useSelect } from '../state/store';

const NONE: readonly TemporaryView[] = [];

const KINDS: Readonly<Record<TemporaryView['kind'], string>> = {
  scalar: 'one number',
  dense: 'a value for each coordinate',
  listed: 'a value for each coordinate, and a list of those written or their places in the result',
  mapped: 'a hash map of the coordinates written',
  stored: 'a value for each coordinate that its format stores',
};

/** Workspaces: made by a command, by a statement or a sum in the expression, or for the assembly of a sparse result. */
export function WorkspaceList() {
  const temporaries = useSelect((state) => state.compile.shown?.view.temporaries ?? NONE);
  if (temporaries.length === 0) return null;
  return (
    <div className="part">
      <h2>Workspaces</h2>
      <ul className="formats" aria-label="Workspaces">
        {temporaries.map((temporary) => (
          <WorkspaceRow key={temporary.name} temporary={temporary} />
        ))}
      </ul>
    </div>
  );
}

function WorkspaceRow({ temporary }: { readonly temporary: TemporaryView }) {
  const { name, kind, dimensions, dtype, command } = temporary;
  const { props } = useLinked(command === null ? linkId.tensor(name) : [linkId.tensor(name), linkId.command(command)]);
  return (
    <li className="format-row">
      <div className="format-line">
        <button type="button" className="name-button tensor-name" {...props} aria-label={`Workspace ${name}`}>
          {name}
          <span className="muted">{dimensions.length > 0 ? `(${dimensions.join(',')})` : ''}</span>
        </button>
        <span className="muted caption">
          {command === null ? '' : `command ${command + 1}: `}
          {KINDS[kind]}, {dtype}
        </span>
      </div>
    </li>
  );
}
