/** What an address says of the course: progress from another browser, or the code of a class. */
import type { Store } from '../store';
import { invite, loadClassrooms } from './classrooms';
import { loadProgress } from './progress';
import { pageAddress } from '../../api/site';

/** Reads `?progress=` and `?class=` before the address bar is rewritten, and opens the lessons. */
export function startCourse(store: Store, search: string): void {
  const asked = new URLSearchParams(search);
  const code = asked.get('class');
  if (code === null && !asked.has('progress')) return;
  loadProgress();
  loadClassrooms();
  if (code !== null) invite(code.slice(0, 40));
  store.patch({ overlay: 'lessons', tour: null });
}

/** The address that a teacher gives to the students. */
export const inviteLink = (code: string, origin: string): string =>
  origin + pageAddress(`?class=${encodeURIComponent(code)}`);
