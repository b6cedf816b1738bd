import { lazy, Suspense } from 'react';
import { useSelect, useStore } from './state/store';
import { Footer } from './layout/Footer';
import { Header } from './layout/Header';
import { Overlays } from './overlays/Overlays';
import { Panes } from './layout/Panes';
import { SkipLink } from './layout/SkipLink';

const LessonPane = lazy(() => import('./overlays/lesson/LessonPane'));
const Tour = lazy(() => import('./overlays/tour/Tour'));

export function App() {
  const touring = useSelect((state) => state.tour !== null);
  const lesson = useSelect((state) => state.lesson);
  return (
    <div className="page">
      <SkipLink />
      <Header />
      <Notice />
      {touring && (
        <Suspense fallback={null}>
          <Tour />
        </Suspense>
      )}
      <main className="main">
        {lesson !== null && (
          <Suspense fallback={null}>
            <LessonPane key={lesson} id={lesson} />
          </Suspense>
        )}
        <Panes />
      </main>
      <Footer />
      <Overlays />
    </div>
  );
}

/** One sentence about the link that was opened. */
function Notice() {
  const store = useStore();
  const notice = useSelect((state) => state.notice);
  if (notice === null) return null;
  return (
    <div className="notice" role="alert">
      <span>{notice}</span>
      <button type="button" className="button quiet" onClick={() => store.patch({ notice: null })}>
        Close
      </button>
    </div>
  );
}
