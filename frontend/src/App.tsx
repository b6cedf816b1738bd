import { Suspense } from 'react';
import { useSelect, useStore } from './state/store';
import { Footer } from './layout/Footer';
import { Header } from './layout/Header';
import { Overlays } from './overlays/Overlays';
import { Panes } from './layout/Panes';
import { PlanBoundary } from './layout/PlanBoundary';
import { SkipLink } from './layout/SkipLink';
import { ErrorBoundary } from './components/ErrorBoundary';
import { NotLoaded } from './components/loading/NotLoaded';
import Tour from './overlays/tour/Tour';
import { Tips } from './components/tips/Tips';
import { lazyFile } from './components/loading/lazy-file';

const LessonPane = lazyFile(() => import('./overlays/lesson/LessonPane'), LessonNotLoaded);

export function App() {
  const touring = useSelect((state) => state.tour !== null);
  const lesson = useSelect((state) => state.lesson);
  return (
    <div className="page">
      <SkipLink />
      <PlanBoundary name="The header">
        <Header />
      </PlanBoundary>
      <Notice />
      {touring && (
        <ErrorBoundary name="The tour" resetKey={touring}>
          <Tour />
        </ErrorBoundary>
      )}
      <main className="main">
        {lesson !== null && (
          <ErrorBoundary name="The lesson" resetKey={lesson}>
            <Suspense fallback={null}>
              <LessonPane key={lesson} id={lesson} />
            </Suspense>
          </ErrorBoundary>
        )}
        <Panes />
      </main>
      <PlanBoundary name="The footer">
        <Footer />
      </PlanBoundary>
      <Overlays />
      <Tips />
    </div>
  );
}

function LessonNotLoaded() {
  const store = useStore();
  return (
    <section className="lesson" aria-label="Lesson">
      <button type="button" className="button quiet" onClick={() => store.patch({ lesson: null })}>
        Close the lesson
      </button>
      <NotLoaded />
    </section>
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
