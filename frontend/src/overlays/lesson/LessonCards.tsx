import type { LessonSummary } from '../../api/types';
import { taskKey, useProgress } from '../../state/lessons/progress';
import { useStore } from '../../state/store';

/** Lessons as rows of a list, with what is done of each; a click opens one beside the panes. */
export function LessonCards({
  lessons,
  onClose,
}: {
  readonly lessons: readonly LessonSummary[];
  readonly onClose: () => void;
}) {
  const store = useStore();
  const progress = useProgress();
  return lessons.map(({ id, number, title, goal, minutes, tasks }) => {
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
  });
}
