import { useEffect, useRef, useState } from 'react';
import { getLesson, isAbort, toProblem } from '../../api/client';
import type { LessonView } from '../../api/types';
import { loadClassrooms } from '../../state/lessons/classrooms';
import { loadProgress, useProgress } from '../../state/lessons/progress';
import { loadReceipts } from '../../state/lessons/receipt-store';
import { useStore } from '../../state/store';
import { readPlan } from '../../plan/plan-reader';
import type { ViewState } from '../../state/view-state';
import { LessonTask } from './LessonTask';
import { openTask } from './open-task';
import { LessonText } from './LessonText';
import { Prediction } from './Prediction';
import './lesson.css';

/** A lesson beside the explorer: read, predict, change the plan, check. Each lesson gets a pane of its own (`key`). */
export default function LessonPane({ id }: { readonly id: string }) {
  const store = useStore();
  const [lesson, setLesson] = useState<LessonView | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const box = useRef<HTMLElement>(null);
  const { seed } = useProgress();
  useEffect(() => {
    loadProgress();
    loadReceipts();
    loadClassrooms();
  }, []);
  useEffect(() => {
    const abort = new AbortController();
    getLesson(id, seed, abort.signal)
      .then((found) => {
        setLesson(found);
        box.current?.focus();
        box.current?.scrollTo(0, 0);
      })
      .catch((error: unknown) => {
        if (!isAbort(error)) setFailure(toProblem(error).detail);
      });
    return () => abort.abort();
  }, [id, seed]);
  /** The questions as they are asked now; what is open stays where the reader is, also where this fails. */
  const refresh = (): void => {
    getLesson(id, seed)
      .then(setLesson)
      .catch(() => undefined);
  };
  const show = (panel: string, index: number): void => {
    // A picture of programs in another language needs one: that of the task which comes next.
    const next = lesson?.blocks.slice(index).find(({ task }) => task !== null)?.task;
    if (next && readPlan(next.plan).language !== store.get().draft.language) openTask(store, next);
    store.look(viewOf(panel));
  };
  const numbers = lesson === null ? [] : taskNumbers(lesson);
  return (
    <section className="lesson" aria-label="Lesson" ref={box} tabIndex={-1}>
      <div className="lesson-bar">
        <button type="button" className="button quiet" onClick={() => store.patch({ overlay: 'lessons' })}>
          All lessons
        </button>
        <button type="button" className="button quiet" onClick={() => store.patch({ lesson: null })}>
          Close the lesson
        </button>
      </div>
      {failure !== null && <p role="alert">{failure}</p>}
      {lesson === null && failure === null && <p className="muted">Loading…</p>}
      {lesson !== null && (
        <article>
          <h2>
            {lesson.number}. {lesson.title}
          </h2>
          <p className="muted">
            {lesson.goal} About {lesson.minutes} minutes.
          </p>
          {lesson.blocks.map(({ text, panel, title, predict, task }, index) => (
            <div key={index} className="lesson-block">
              {text !== null && <LessonText markdown={text} />}
              {panel !== null && (
                <button type="button" className="button" onClick={() => show(panel, index)}>
                  Show {title}
                </button>
              )}
              {predict !== null && <Prediction predict={predict} />}
              {task !== null && (
                <LessonTask lesson={lesson.id} task={task} number={numbers[index] ?? 0} onWrong={refresh} />
              )}
            </div>
          ))}
        </article>
      )}
    </section>
  );
}

/** For each block, how many tasks there are up to and with it. */
function taskNumbers(lesson: LessonView): readonly number[] {
  return lesson.blocks.map((_, index) => lesson.blocks.slice(0, index + 1).filter(({ task }) => task !== null).length);
}

/** What the page shows for `pane/tab`, as lessons write it. */
function viewOf(panel: string): Partial<ViewState> {
  const [pane = '', tab = ''] = panel.split('/');
  switch (pane) {
    case 'space':
      return { understand: 'space', space: tab as ViewState['space'], front: 'understand', maximised: null };
    case 'code':
      return { code: tab, front: 'code', maximised: null };
    case 'run':
      return { run: tab, front: 'run', maximised: null };
    case 'define':
      return { front: 'define', maximised: null };
    default:
      return { understand: tab, front: 'understand', maximised: null };
  }
}
