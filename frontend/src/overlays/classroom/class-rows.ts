/** The table of a class: who has done what, from the answer of the service. */
import type { ClassroomView } from '../../api/types';

export type Work = ClassroomView['work'][number];
export type ClassTask = ClassroomView['tasks'][number];

export interface TaskName {
  readonly lesson: string;
  readonly task: string;
  /** As the table's head has it: "5.2". */
  readonly label: string;
}

export interface ClassRow {
  readonly number: number;
  readonly nickname: string;
  readonly solved: number;
  /** By `lesson/task`. */
  readonly work: Readonly<Record<string, Work>>;
}

export const nameOf = ({ lesson, task }: { readonly lesson: string; readonly task: string }): string =>
  `${lesson}/${task}`;

/** "5.2" is the second task of lesson 5. */
export const labelOf = ({ number, place }: ClassTask): string => `${String(number)}.${String(place)}`;

export function rowsOf({ students, work }: ClassroomView): readonly ClassRow[] {
  return students.map(({ number, nickname }) => {
    const own = work.filter(({ student }) => student === number);
    return {
      number,
      nickname,
      solved: own.filter(({ solved }) => solved).length,
      work: Object.fromEntries(own.map((one) => [nameOf(one), one])),
    };
  });
}

/** The tasks that somebody has tried, in the order of the course. */
export function triedTasks({ tasks, work }: ClassroomView): readonly ClassTask[] {
  const tried = new Set(work.map(nameOf));
  return tasks.filter((task) => tried.has(nameOf(task)));
}

/** What a cell says to those who see it, and to those who hear it. */
export function cellOf(work: Work | undefined): { readonly shown: string; readonly said: string } {
  if (work === undefined) return { shown: '', said: 'not tried' };
  const tries = `${String(work.tries)} ${work.tries === 1 ? 'try' : 'tries'}`;
  if (!work.solved) return { shown: `${String(work.tries)} ✗`, said: `not done after ${tries}` };
  const took = work.minutes !== null && work.minutes > 0 ? `, ${String(work.minutes)} minutes` : '';
  const medals = work.medals.map((medal) => `, ${medal}`).join('');
  return { shown: work.medals.length > 0 ? '✓★' : '✓', said: `done after ${tries}${took}${medals}` };
}
