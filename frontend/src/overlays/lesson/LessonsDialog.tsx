import { useEffect, useState } from 'react';
import { getClassLessons } from '../../api/classrooms';
import { getLessons, isAbort, toProblem } from '../../api/client';
import type { LessonSummary } from '../../api/types';
import { Dialog } from '../../components/Dialog';
import { loadClassrooms, useInvited, useMembership } from '../../state/lessons/classrooms';
import { loadProgress, progressLink, useProgress } from '../../state/lessons/progress';
import { useStore } from '../../state/store';
import { JoinClass } from '../classroom/JoinClass';
import { LessonCards } from './LessonCards';
import './lesson.css';

/** The course: the tour, then the lessons in their order, with what is done of each. */
export default function LessonsDialog({ onClose }: { readonly onClose: () => void }) {
  const store = useStore();
  const progress = useProgress();
  const [lessons, setLessons] = useState<readonly LessonSummary[] | null>(null);
  const code = useMembership()?.code ?? null;
  const invited = useInvited() !== '';
  const [ofClass, setOfClass] = useState<{ readonly code: string; readonly lessons: readonly LessonSummary[] } | null>(
    null,
  );
  const [said, setSaid] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    loadProgress();
    loadClassrooms();
    const abort = new AbortController();
    getLessons(abort.signal)
      .then(setLessons)
      .catch((error: unknown) => {
        if (!isAbort(error)) setProblem(toProblem(error).detail);
      });
    return () => abort.abort();
  }, []);
  useEffect(() => {
    if (code === null) return;
    const abort = new AbortController();
    getClassLessons(code, abort.signal)
      .then((lessons) => setOfClass({ code, lessons }))
      .catch((error: unknown) => {
        if (!isAbort(error)) setSaid(toProblem(error).detail);
      });
    return () => abort.abort();
  }, [code]);
  const homework = ofClass !== null && ofClass.code === code ? ofClass.lessons : [];
  const copy = async (): Promise<void> => {
    const link = progressLink(progress, window.location.origin);
    try {
      await navigator.clipboard.writeText(link);
      setSaid('Copied. Open the link in another browser to continue there.');
    } catch {
      setSaid(link);
    }
  };
  return (
    <Dialog title="Lessons" className="reading" onClose={onClose}>
      <p className="muted">Each lesson has tasks that the compiler checks. What you have done stays in this browser.</p>
      {invited && <JoinClass onClose={onClose} />}
      <ol className="lesson-list">
        <li>
          <button
            type="button"
            className="lesson-card"
            onClick={() => {
              onClose();
              store.patch({ tour: 0, lesson: null });
            }}
          >
            <b>0. The tour</b>
            <span className="caption muted block">Three minutes: from a matrix to a kernel that beats SciPy.</span>
          </button>
        </li>
        {lessons !== null && <LessonCards lessons={lessons} onClose={onClose} />}
      </ol>
      <div role="status">
        {problem !== null && <p className="complaint">{problem}</p>}
        {lessons === null && problem === null && <p className="muted">Loading the lessons…</p>}
      </div>
      {homework.length > 0 && (
        <section aria-label="Lessons of your class">
          <h3>Of your class</h3>
          <ol className="lesson-list">
            <LessonCards lessons={homework} onClose={onClose} />
          </ol>
        </section>
      )}
      {!invited && <JoinClass onClose={onClose} />}
      <p>
        <button type="button" className="button" onClick={() => void copy()}>
          Copy my progress as a link
        </button>
      </p>
      <p role="status" className="lesson-said">
        {said}
      </p>
    </Dialog>
  );
}
