import { memo } from 'react';
import type { ClassroomView } from '../../api/types';
import { cellOf, labelOf, nameOf, rowsOf, triedTasks } from './class-rows';
import type { TaskName } from './class-rows';
import { TwoSteps } from './TwoSteps';

interface Props {
  readonly view: ClassroomView;
  readonly chosen: TaskName | null;
  readonly onChoose: (task: TaskName) => void;
  readonly onRemove: (student: number) => void;
}

/** Students by tasks. A press on a task shows how it was solved. */
export const ClassTable = memo(function ClassTable({ view, chosen, onChoose, onRemove }: Props) {
  const tasks = triedTasks(view);
  return (
    <div className="class-scroll" tabIndex={0} role="region" aria-label="Students by tasks">
      <table className="class-table">
        <thead>
          <tr>
            <th scope="col">Student</th>
            <th scope="col">Done</th>
            {tasks.map((task) => {
              const label = labelOf(task);
              const { lesson, task: name } = task;
              return (
                <th key={nameOf(task)} scope="col">
                  <button
                    type="button"
                    className="button quiet"
                    aria-pressed={chosen?.label === label}
                    aria-label={`Solutions of task ${label}, ${task.title}`}
                    data-tip={task.title}
                    onClick={() => onChoose({ lesson, task: name, label })}
                  >
                    {label}
                  </button>
                </th>
              );
            })}
            <th scope="col">
              <span className="visually-hidden">Remove</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rowsOf(view).map((row) => (
            <tr key={row.number}>
              <th scope="row">{row.nickname}</th>
              <td>{row.solved}</td>
              {tasks.map((task) => {
                const { shown, said } = cellOf(row.work[nameOf(task)]);
                const solved = row.work[nameOf(task)]?.solved;
                return (
                  <td key={nameOf(task)} data-tip={said} data-solved={solved}>
                    <span aria-hidden="true">{shown}</span>
                    <span className="visually-hidden">{said}</span>
                  </td>
                );
              })}
              <td>
                <TwoSteps
                  label="Remove"
                  sure="Delete this student"
                  of={row.nickname}
                  onSure={() => onRemove(row.number)}
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
});
