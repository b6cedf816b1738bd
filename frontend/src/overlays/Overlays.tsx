import { Suspense, useEffect } from 'react';
import type { ReactNode } from 'react';
import { Dialog } from '../components/Dialog';
import { ErrorBoundary } from '../components/ErrorBoundary';
import { shortcutOf } from './keyboard';
import type { ShortcutId } from './keyboard';
// Not lazy: what is typed right after Ctrl+K must reach it.
import Palette from './palette/Palette';
import { useActions } from '../state/actions';
import { askThePerson, codeQuestion } from './code/code-question';
import { useExternal } from '../state/external';
import { UNDERSTAND_TABS } from '../panes/tabs';
import { stepPicture } from '../state/presenting';
import { useSelect, useStore } from '../state/store';
import { CodeDialog } from './code/CodeDialog';
import { goToProblem } from './next-problem';
import { lazyFile } from '../components/loading/lazy-file';
import { NotLoadedDialog } from '../components/loading/NotLoadedDialog';

const ClassDialog = lazyFile(() => import('./classroom/ClassDialog'), NotLoadedDialog);
const Gallery = lazyFile(() => import('./Gallery'), NotLoadedDialog);
const GlossaryDialog = lazyFile(() => import('./glossary/GlossaryDialog'), NotLoadedDialog);
const GuideDialog = lazyFile(() => import('./guide/GuideDialog'), NotLoadedDialog);
const HistoryDialog = lazyFile(() => import('./history/HistoryDialog'), NotLoadedDialog);
const ImportDialog = lazyFile(() => import('./import/ImportDialog'), NotLoadedDialog);
const KeySheet = lazyFile(() => import('./KeySheet'), NotLoadedDialog);
const LessonsDialog = lazyFile(() => import('./lesson/LessonsDialog'), NotLoadedDialog);

/** Without those that only programs of one language have. */
const PICTURES = UNDERSTAND_TABS.filter(({ onlyIn }) => onlyIn === undefined).map(({ id }) => id);

/** What opens above the page, and the keys that the whole page listens to. */
export function Overlays() {
  const store = useStore();
  const { runNow } = useActions();
  const overlay = useSelect((state) => state.overlay);
  const present = useSelect((state) => state.view.present);

  const question = useExternal(codeQuestion, (asked) => asked);
  useEffect(() => askThePerson(), []);

  useEffect(() => {
    document.documentElement.toggleAttribute('data-present', present);
  }, [present]);

  useEffect(() => {
    const run: Readonly<Record<ShortcutId, () => void>> = {
      palette: () => store.patch({ overlay: 'palette' }),
      keys: () => store.patch({ overlay: 'keys' }),
      run: runNow,
      'next-problem': () => goToProblem(1),
      'previous-problem': () => goToProblem(-1),
      undo: store.undo,
      redo: store.redo,
      present: () => store.look({ present: !store.get().view.present }),
    };
    const press = (event: KeyboardEvent): void => {
      if (event.defaultPrevented) return;
      const target = event.target instanceof Element ? event.target : null;
      const field = target?.closest('input, textarea, [contenteditable=true]') ?? null;
      const id = shortcutOf(event, field !== null);
      if (id === null) {
        if (stepPicture(store, event, PICTURES)) event.preventDefault();
        return;
      }
      event.preventDefault();
      run[id]();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [store, runNow]);

  const close = (): void => store.patch({ overlay: null });
  const frame = (message: ReactNode): ReactNode =>
    overlay === null ? null : (
      <Dialog title="Not drawn" onClose={close}>
        {message}
      </Dialog>
    );
  return (
    <ErrorBoundary name="What you opened" resetKey={overlay} frame={frame}>
      <Suspense fallback={null}>
        {overlay === 'palette' && <Palette onClose={close} />}
        {overlay === 'examples' && <Gallery onClose={close} />}
        {overlay === 'history' && <HistoryDialog onClose={close} />}
        {overlay === 'import' && <ImportDialog onClose={close} />}
        {question !== null && <CodeDialog onAnswer={question.answer} />}
        {overlay === 'guide' && <GuideDialog onClose={close} />}
        {overlay === 'glossary' && <GlossaryDialog onClose={close} />}
        {overlay === 'lessons' && <LessonsDialog onClose={close} />}
        {overlay === 'class' && <ClassDialog onClose={close} />}
        {overlay === 'keys' && <KeySheet onClose={close} />}
      </Suspense>
    </ErrorBoundary>
  );
}
