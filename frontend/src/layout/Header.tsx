import { Icon } from '../components/diagram/Icon';
import { Menu } from '../components/menu/Menu';
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
      <Share />
      <Learn />
      <PaletteButton />
      <More />
    </header>
  );
}

function PaletteButton() {
  const store = useStore();
  return (
    <button
      type="button"
      className="icon-button header-palette"
      aria-label="Commands"
      aria-haspopup="dialog"
      data-tip={`Commands (${keyText('Mod+K')})`}
      onClick={() => store.patch({ overlay: 'palette' })}
    >
      <svg viewBox="0 0 16 16" aria-hidden="true">
        <path d="M6.8 2.5a4.3 4.3 0 1 0 0 8.6a4.3 4.3 0 1 0 0-8.6M10 10l3.5 3.5" />
      </svg>
    </button>
  );
}

/** What is needed now and then. */
function More() {
  const store = useStore();
  const dark = useDark();
  return (
    <Menu
      label="More"
      className="icon-button header-more"
      items={[
        { title: 'History', says: 'Every change, to go back to', onChoose: () => store.patch({ overlay: 'history' }) },
        { title: 'Keyboard', keys: keyText('Alt+K'), onChoose: () => store.patch({ overlay: 'keys' }) },
        { title: 'Presentation', keys: keyText('Alt+P'), onChoose: () => store.look({ present: true }) },
        {
          title: dark ? 'Use the light theme' : 'Use the dark theme',
          onChoose: () => setTheme(dark ? 'light' : 'dark'),
        },
      ]}
    >
      <Icon name="more" />
    </Menu>
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
