import type { LessonTaskView, Operands } from '../../api/types';
import { readPlan } from '../../plan/plan-reader';
import { EXAMPLE, TASK } from '../../state/data/example-data';
import type { Store } from '../../state/store';

/** Opens the plan of a task; pictures show the data that its questions are about, where it has some. */
export function openTask(store: Store, task: LessonTaskView): void {
  store.update({ kind: 'open', draft: readPlan(task.plan) });
  const { playback } = store;
  const { data } = task;
  if (data === null) {
    if (playback.get().data.id === TASK) playback.choose(EXAMPLE);
    return;
  }
  const names = Object.keys(data);
  playback.choose({
    id: TASK,
    title: 'The data of this task',
    part: '',
    operands: ({ tensors }) =>
      names.every((name) => tensors.some((one) => one.name === name && !one.result)) ? (data as Operands) : null,
  });
}
