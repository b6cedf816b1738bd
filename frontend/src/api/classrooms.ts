/** Classes of the course: what a teacher and students ask of the service. Keys travel in a header, never in an address. */
import { request, requestText } from './client';
import type {
  ClassroomCreated,
  ClassroomView,
  LessonSummary,
  SolutionView,
  StudentCreated,
  TaskResultView,
} from './types';
import type { PlanDocument } from '../plan/plan';

const room = (code: string): string => `/classrooms/${encodeURIComponent(code)}`;

export const makeClass = (title: string): Promise<ClassroomCreated> =>
  request('/classrooms', { method: 'POST', body: { title } });

/** What the teacher sees, or null where nothing has changed since the revision `known`. */
export const getClass = (
  code: string,
  key: string,
  known: number | null,
  signal?: AbortSignal,
): Promise<ClassroomView | null> =>
  request(`${room(code)}${known === null ? '' : `?known=${String(known)}`}`, { key, signal });

export const getSolutions = (
  code: string,
  key: string,
  lesson: string,
  task: string,
  signal?: AbortSignal,
): Promise<readonly SolutionView[]> =>
  request(`${room(code)}/solutions?lesson=${encodeURIComponent(lesson)}&task=${encodeURIComponent(task)}`, {
    key,
    signal,
  });

export const getClassTable = (code: string, key: string): Promise<string> =>
  requestText(`${room(code)}/table.csv`, { key });

export const deleteClass = (code: string, key: string): Promise<unknown> =>
  request(room(code), { method: 'DELETE', key });

/** The lessons that the teacher of a class wrote for it. */
export const getClassLessons = (code: string, signal?: AbortSignal): Promise<readonly LessonSummary[]> =>
  request(`${room(code)}/lessons`, { signal });

export const joinClass = (code: string, nickname: string): Promise<StudentCreated> =>
  request(`${room(code)}/students`, { method: 'POST', body: { nickname } });

/** By the teacher's key, or by the student's own. */
export const removeStudent = (code: string, key: string, number: number): Promise<unknown> =>
  request(`${room(code)}/students/${String(number)}`, { method: 'DELETE', key });

export interface ClassSubmission {
  readonly lesson: string;
  readonly task: string;
  readonly plan: PlanDocument;
  readonly answers: Readonly<Record<string, string>>;
  readonly run: string | null;
}

export const submitTask = (code: string, key: string, body: ClassSubmission): Promise<TaskResultView> =>
  request(`${room(code)}/submissions`, { method: 'POST', body, key });
