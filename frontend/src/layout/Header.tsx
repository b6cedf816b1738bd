import { useEffect } from 'react';
import { canonicalJson, toPlan } from '../state/plan';
import { readPlan } from '../state/plan-reader';
import { useCatalog } from '../state/catalog';
import { useDark } from '../state/media';
import { setTheme } from '../state/preferences';
import { useSelect, useStore } from '../state/store';
import { CompileStatus } from './CompileStatus';
import { Share } from './Share';

export function Header() {
  const expression = useSelect((state) => state.draft.expression);
  return (
    <header className="header">
      <h1 className="wordmark">
        <a href="/">Heddle</a>
      </h1>
      <ExamplePicker />
      <code className="header-expression" title={expression}>
        {expression}
      </code>
      <CompileStatus />
      <span className="spacer" />
      <UndoRedo />
      <Share />
      <ThemeToggle />
    </header>
  );
}

function ExamplePicker() {
  const store = useStore();
  const examples = useCatalog((catalog) => catalog.examples);
  const draft = useSelect((state) => state.draft);
  const current = canonicalJson(toPlan(draft));
  const chosen = examples.find(({ plan }) => canonicalJson(toPlan(readPlan(plan))) === current)?.id ?? '';
  const topics = [...new Set(examples.map(({ topic }) => topic))];
  return (
    <select
      aria-label="Example"
      className="example-picker"
      value={chosen}
      onChange={(event) => {
        const example = examples.find(({ id }) => id === event.target.value);
        if (example) store.update({ kind: 'open', draft: readPlan(example.plan) });
      }}
    >
      <option value="" disabled={chosen !== ''}>
        Examples
      </option>
      {topics.map((topic) => (
        <optgroup key={topic} label={topic}>
          {examples
            .filter((example) => example.topic === topic)
            .map(({ id, title, summary }) => (
              <option key={id} value={id} title={summary}>
                {title}
              </option>
            ))}
        </optgroup>
      ))}
    </select>
  );
}

function UndoRedo() {
  const store = useStore();
  const canUndo = useSelect((state) => state.history.past.length > 0);
  const canRedo = useSelect((state) => state.history.future.length > 0);
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const target = event.target instanceof Element ? event.target : null;
      // Fields have an undo of their own; the editors handle the keys themselves.
      if (target?.closest('input, textarea, [contenteditable=true]') || !(event.ctrlKey || event.metaKey)) return;
      const key = event.key.toLowerCase();
      if (key === 'z' && !event.shiftKey) store.undo();
      else if (key === 'y' || key === 'z') store.redo();
      else return;
      event.preventDefault();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [store]);
  return (
    <>
      <button
        type="button"
        className="button quiet undo"
        disabled={!canUndo}
        onClick={store.undo}
        title="Undo (Ctrl+Z)"
      >
        Undo
      </button>
      <button
        type="button"
        className="button quiet undo"
        disabled={!canRedo}
        onClick={store.redo}
        title="Redo (Ctrl+Y)"
      >
        Redo
      </button>
    </>
  );
}

function ThemeToggle() {
  const dark = useDark();
  return (
    <button
      type="button"
      className="icon-button"
      aria-label={dark ? 'Use the light theme' : 'Use the dark theme'}
      title={dark ? 'Use the light theme' : 'Use the dark theme'}
      onClick={() => setTheme(dark ? 'light' : 'dark')}
    >
      <svg viewBox="0 0 16 16" aria-hidden="true">
        {dark ? (
          <path d="M8 5a3 3 0 1 0 0 6a3 3 0 1 0 0-6M8 1v1M8 14v1M1 8h1M14 8h1M3 3l.8.8M12.2 12.2l.8.8M13 3l-.8.8M3.8 12.2L3 13" />
        ) : (
          <path d="M13.5 9.5A6 6 0 0 1 6.5 2.5a6 6 0 1 0 7 7z" />
        )}
      </svg>
    </button>
  );
}
