import { useMemo } from 'react';
import { DEFAULT_DRAFT } from '../plan/plan';
import { EDITED_ENDING, titleOf, titlesOf } from '../plan/example-title';
import { useExamples } from '../state/catalog';
import { useSelect, useStore } from '../state/store';

/** Names the example that is open, edited or not, and opens the gallery. */
export function ExamplePicker() {
  const store = useStore();
  const draft = useSelect((state) => state.draft);
  // The plan that every visit begins with is none of them.
  const examples = useExamples(draft !== DEFAULT_DRAFT);
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
