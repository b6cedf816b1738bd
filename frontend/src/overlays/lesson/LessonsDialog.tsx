import { useEffect, useState } from 'react';
import { getLessons, isAbort, toProblem } from '../../api/client';
import type { LessonSummary } from '../../api/types';
import { Dialog } from '../../components/Dialog';
import { loadClassrooms } from '../../state/lessons/classrooms';
import { loadProgress, progressLink, taskKey, useProgress } from '../../state/lessons/progress';
import { useStore } from '../../state/store';
import { JoinClass } from '../classroom/JoinClass';
import './lesson.css';

/** The course: the tour, then the lessons in their order, with what is done of each. */
export default function LessonsDialog({ onClose }: { readonly onClose: () => void }) {
  const store = useStore();
  const progress = useProgress();
  const [lessons, setLessons] = useState<readonly LessonSummary[] | null>(null);
  const [said, setSaid] = useState<string | null>(null);
  useEffect(() => {
    loadProgress();
    loadClassrooms();
    const abort = new AbortController();
    getLessons(abort.signal)
      .then(setLessons)
      .catch((error: unknown) => {
        if (!isAbort(error)) setSaid(toProblem(error).detail);
      });
    return () => abort.abort();
  }, []);
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
        {lessons?.map(({ id, number, title, goal, minutes, tasks }) => {
          const done = tasks.filter((task) => progress.done[taskKey(id, task)] !== undefined).length;
          return (
            <li key={id}>
              <button
                type="button"
                className="lesson-card"
                onClick={() => {
                  onClose();
                  store.patch({ lesson: id, tour: null });
                }}
              >
                <b>
                  {number}. {title}
                </b>
                <span className="lesson-done">{done === tasks.length ? ' ✓ done' : ''}</span>
                <span className="caption muted block">
                  {goal} {minutes} minutes; {done} of {tasks.length} done.
                </span>
              </button>
            </li>
          );
        })}
      </ol>
      <JoinClass />
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
