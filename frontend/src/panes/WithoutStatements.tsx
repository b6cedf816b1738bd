import { useStore } from '../state/store';
import { OF_PATTERNS } from './tabs';

/** What to open for a program without statements, which has nothing that most tabs draw. */
export function WithoutStatements() {
  const store = useStore();
  return (
    <div className="panel-message">
      <p className="muted">
        This tab draws statements, and a program of patterns has none: it becomes loops directly. Open one of these
        instead:
      </p>
      <p className="panel-choices">
        {OF_PATTERNS.map(({ pane, id, name }) => (
          <button
            key={id}
            type="button"
            className="button"
            onClick={() => store.look({ [pane]: id, front: pane, maximised: null })}
          >
            {name}
          </button>
        ))}
      </p>
    </div>
  );
}
