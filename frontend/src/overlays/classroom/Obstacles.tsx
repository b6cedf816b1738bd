import type { ClassroomView } from '../../api/types';
import { labelOf, nameOf } from './class-rows';

const MOST = 10;

/** What the most students met: refusals of the compiler, and checks that failed. */
export function Obstacles({ view }: { readonly view: ClassroomView }) {
  const places = new Map(view.tasks.map((task) => [nameOf(task), labelOf(task)]));
  const shown = view.obstacles.slice(0, MOST);
  if (shown.length === 0) return null;
  return (
    <section aria-label="What students ran into most">
      <h3>What students ran into most</h3>
      <ul className="class-obstacles">
        {shown.map(({ kind, code, says, lesson, task, students, times }) => (
          <li key={`${kind} ${code} ${lesson ?? ''}/${task ?? ''}`}>
            <b>
              {students} {students === 1 ? 'student' : 'students'}
            </b>
            {times > students ? `, ${String(times)} times` : ''}:{' '}
            {kind === 'refusal' ? 'refused, ' : 'a check failed, '}
            <code>{code}</code>
            {lesson !== null && task !== null ? ` in task ${places.get(`${lesson}/${task}`) ?? task}` : ''}
            {says !== code && <span className="caption muted block">{says}</span>}
          </li>
        ))}
      </ul>
    </section>
  );
}
