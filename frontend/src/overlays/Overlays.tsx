import { lazy, Suspense, useEffect } from 'react';
import { shortcutOf } from './keyboard';
import type { ShortcutId } from './keyboard';
// Not lazy: what is typed right after Ctrl+K must reach it.
import Palette from './palette/Palette';
import { useActions } from '../state/actions';
import { askThePerson, codeQuestion } from './code/code-question';
import { useExternal } from '../state/external';
import { useSelect, useStore } from '../state/store';
import { CodeDialog } from './code/CodeDialog';
import { goToProblem } from './next-problem';

const ClassDialog = lazy(() => import('./classroom/ClassDialog'));
const Gallery = lazy(() => import('./Gallery'));
const GlossaryDialog = lazy(() => import('./glossary/GlossaryDialog'));
const GuideDialog = lazy(() => import('./guide/GuideDialog'));
const HistoryDialog = lazy(() => import('./history/HistoryDialog'));
const ImportDialog = lazy(() => import('./import/ImportDialog'));
const KeySheet = lazy(() => import('./KeySheet'));
const LessonsDialog = lazy(() => import('./lesson/LessonsDialog'));

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
      if (id === null) return;
      event.preventDefault();
      run[id]();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [store, runNow]);

  const close = (): void => store.patch({ overlay: null });
  return (
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
  );
}
