/** What an address says of the course: progress from another browser, or the code of a class and its homework. */
import type { Store } from '../store';
import { getClassrooms, invite, loadClassrooms } from './classrooms';
import { loadProgress } from './progress';
import { pageAddress } from '../../api/site';
import { LESSON } from './names';

const HOMEWORK = new RegExp(`^${LESSON}$`);

/** Reads `?progress=` and `?class=` before the address bar is rewritten, and opens the lessons, or a class's `?lesson=` for who has joined it. */
export function startCourse(store: Store, search: string): void {
  const asked = new URLSearchParams(search);
  const code = asked.get('class');
  if (code === null && !asked.has('progress')) return;
  loadProgress();
  loadClassrooms();
  const lesson = asked.get('lesson') ?? '';
  const homework = HOMEWORK.test(lesson) ? lesson : null;
  if (code !== null) {
    if (homework !== null && getClassrooms().joined?.code === code) {
      store.patch({ lesson: homework, tour: null });
      return;
    }
    invite(code.slice(0, 40), homework);
  }
  store.patch({ overlay: 'lessons', tour: null });
}

/** The address that a teacher gives to the students. */
export const inviteLink = (code: string, origin: string): string =>
  origin + pageAddress(`?class=${encodeURIComponent(code)}`);
