import { useEffect, useState } from 'react';
import { getSolutions } from '../../api/classrooms';
import { isAbort, toProblem } from '../../api/client';
import type { ClassroomView, SolutionView } from '../../api/types';
import { readPlan } from '../../plan/plan-reader';
import type { OwnClass } from '../../state/lessons/classrooms';
import { useStore } from '../../state/store';
import type { TaskName } from './class-rows';

interface Props {
  readonly own: OwnClass;
  readonly task: TaskName;
  readonly view: ClassroomView;
  readonly onProjector: () => void;
}

const MOST_NAMES = 12;

/** The plans that passed a task, equal ones together; each opens on the projector with one press. */
export function Solutions({ own, task, view, onProjector }: Props) {
  const store = useStore();
  const [groups, setGroups] = useState<readonly SolutionView[] | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const { revision } = view;
  useEffect(() => {
    const abort = new AbortController();
    getSolutions(own.code, own.key, task.lesson, task.task, abort.signal)
      .then(setGroups)
      .catch((error: unknown) => {
        if (!isAbort(error)) setFailure(toProblem(error).detail);
      });
    return () => abort.abort();
  }, [own, task, revision]);
  const show = ({ plan }: SolutionView): void => {
    store.update({ kind: 'open', draft: readPlan(plan) });
    store.look({ present: true });
    onProjector();
  };
  return (
    <section aria-label={`Solutions of task ${task.label}`}>
      <h3>Solutions of task {task.label}</h3>
      {failure !== null && <p role="alert">{failure}</p>}
      {groups?.length === 0 && <p className="muted">Nobody has done this task yet.</p>}
      <ul className="class-solutions">
        {groups?.map((group) => (
          <li key={group.solution}>
            <button type="button" className="button" onClick={() => show(group)}>
              Show on the projector
            </button>
            <span>
              <b>
                {group.students.length} {group.students.length === 1 ? 'student' : 'students'}
              </b>
              {group.medals.map((medal) => `, ${medal}`).join('')}: {namesOf(group)}
              <code className="block caption">{summaryOf(group.plan)}</code>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function namesOf({ students }: SolutionView): string {
  const more = students.length - MOST_NAMES;
  return students.slice(0, MOST_NAMES).join(', ') + (more > 0 ? ` and ${String(more)} more` : '');
}

/** Formats and schedule, by which plans of one task differ. */
function summaryOf(plan: Readonly<Record<string, unknown>>): string {
  const tensors = Object.entries((plan.tensors ?? {}) as Record<string, { readonly format?: string | null }>);
  const formats = tensors.flatMap(([name, { format }]) => (format ? [`${name}: ${format}`] : []));
  return [...formats, ...((plan.schedule ?? []) as readonly string[])].join('; ') || 'no formats, no schedule';
}
