import { useMemo } from 'react';
import { EDITED_ENDING, titleOf, titlesOf } from '../plan/example-title';
import { useCatalog } from '../state/catalog';
import { useSelect, useStore } from '../state/store';

/** Names the example that is open, edited or not, and opens the gallery. */
export function ExamplePicker() {
  const store = useStore();
  const examples = useCatalog((catalog) => catalog.examples);
  const draft = useSelect((state) => state.draft);
  const past = useSelect((state) => state.history.past);
  const titles = useMemo(() => titlesOf(examples), [examples]);
  const title = titleOf(draft, past, titles);
  return (
    <button
      type="button"
      className="button example-picker"
      aria-haspopup="dialog"
      data-tip={title ?? 'Browse the examples'}
      onClick={() => store.patch({ overlay: 'examples' })}
    >
      {title === null ? 'Examples' : <span className="visually-hidden">Examples: </span>}
      {title !== null && <span className="example-title">{title.replace(EDITED_ENDING, '')}</span>}
      {title?.endsWith(EDITED_ENDING) === true && <span className="example-edited">{EDITED_ENDING}</span>}
    </button>
  );
}
