import { keyText } from '../overlays/keyboard';
import { useDark } from '../state/media';
import { setTheme } from '../state/kept/preferences';
import { useSelect, useStore } from '../state/store';
import { BootStatus } from './BootStatus';
import { CompareButton } from './CompareButton';
import { CompileStatus } from './CompileStatus';
import { ExamplePicker } from './ExamplePicker';
import { Learn } from './Learn';
import { Share } from './Share';
import { HOME } from '../api/site';

export function Header() {
  const expression = useSelect((state) => state.draft.expression);
  return (
    <header className="header">
      <h1 className="wordmark">
        <a href={HOME}>Heddle</a>
      </h1>
      <ExamplePicker />
      <code className="header-expression" data-tip={expression}>
        {expression}
      </code>
      <CompileStatus />
      <BootStatus />
      <UndoRedo />
      <CompareButton />
      <OverlayButton name="history" />
      <Share />
      <Learn />
      <OverlayButton name="palette" keys="Mod+K" />
      <OverlayButton name="keys" keys="Alt+K" />
      <ThemeToggle />
    </header>
  );
}

const ICONS = {
  history: ['History', 'M2.5 8a5.5 5.5 0 1 0 1.7-4M2.5 2.5v3h3M8 5v3.2l2.2 1.4'],
  palette: ['Commands', 'M6.8 2.5a4.3 4.3 0 1 0 0 8.6a4.3 4.3 0 1 0 0-8.6M10 10l3.5 3.5'],
  keys: ['Keyboard', 'M1.5 4.5h13v7h-13zM4 7h.5M6.5 7h.5M9 7h.5M11.5 7h.5M5 9.5h6'],
} as const;

function OverlayButton({ name, keys }: { readonly name: keyof typeof ICONS; readonly keys?: string }) {
  const store = useStore();
  const [title, path] = ICONS[name];
  return (
    <button
      type="button"
      className={`icon-button header-${name}`}
      aria-label={title}
      aria-haspopup="dialog"
      data-tip={keys === undefined ? title : `${title} (${keyText(keys)})`}
      onClick={() => store.patch({ overlay: name })}
    >
      <svg viewBox="0 0 16 16" aria-hidden="true">
        <path d={path} />
      </svg>
    </button>
  );
}

function UndoRedo() {
  const store = useStore();
  const canUndo = useSelect((state) => state.history.past.length > 0);
  const canRedo = useSelect((state) => state.history.future.length > 0);
  return (
    <>
      <button
        type="button"
        className="button quiet undo"
        disabled={!canUndo}
        onClick={store.undo}
        data-tip="Undo (Ctrl+Z)"
      >
        Undo
      </button>
      <button
        type="button"
        className="button quiet undo"
        disabled={!canRedo}
        onClick={store.redo}
        data-tip="Redo (Ctrl+Y)"
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
      data-tip={dark ? 'Use the light theme' : 'Use the dark theme'}
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
