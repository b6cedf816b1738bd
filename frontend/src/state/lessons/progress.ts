/** What a person has done of the course: kept in this browser alone, and carried to another one by a link. */
import { storedText, storeText } from '../kept/browser-storage';
import { createExternal, useExternal } from '../external';
import { pageAddress } from '../../api/site';
import { LESSON, TASK } from './names';

export interface Progress {
  /** The person's own: the tasks have data of their own for each student. */
  readonly seed: number;
  /** The medals of each task that is done, by `lesson/task`. */
  readonly done: Readonly<Record<string, readonly string[]>>;
}

const KEY = 'heddle.lessons.1';
const MEDALS: readonly string[] = ['bronze', 'silver', 'gold'];
const NAME = new RegExp(`^${LESSON}/${TASK}$`);
const LARGEST_SEED = 2 ** 31;

export const taskKey = (lesson: string, task: string): string => `${lesson}/${task}`;

/** What is no progress is left out: links and storage may hold anything. */
export function readProgress(text: string | null): Progress | null {
  try {
    const found = JSON.parse(text ?? '') as Partial<Record<keyof Progress, unknown>>;
    const { seed } = found;
    if (typeof seed !== 'number' || !Number.isInteger(seed) || seed < 0 || seed >= LARGEST_SEED) return null;
    const done = Object.entries((found.done ?? {}) as Record<string, unknown>).filter(
      ([name, medals]) => NAME.test(name) && Array.isArray(medals),
    );
    return {
      seed,
      done: Object.fromEntries(
        done.map(([name, medals]) => [name, MEDALS.filter((medal) => (medals as unknown[]).includes(medal))]),
      ),
    };
  } catch {
    return null;
  }
}

/** The progress of both, with the seed of the first: a task that was done once stays done. */
export function merged(own: Progress, other: Progress): Progress {
  const names = [...Object.keys(own.done), ...Object.keys(other.done)];
  const medals = (name: string): readonly string[] =>
    MEDALS.filter((medal) => own.done[name]?.includes(medal) || other.done[name]?.includes(medal));
  return { seed: own.seed, done: Object.fromEntries(names.map((name) => [name, medals(name)])) };
}

/** The address of the page with this progress in it; text of others cannot get into it. */
export const progressLink = (progress: Progress, origin: string): string =>
  origin + pageAddress(`?progress=${encodeURIComponent(JSON.stringify(progress))}`);

const fresh = (): Progress => ({ seed: Math.floor(Math.random() * LARGEST_SEED), done: {} });
const progress = createExternal<Progress>(fresh());
let loaded = false;

/** Once, when the course is first opened. */
export function loadProgress(): void {
  if (loaded) return;
  loaded = true;
  const kept = readProgress(storedText(KEY));
  const brought = readProgress(new URLSearchParams(window.location.search).get('progress'));
  const own = kept ?? brought ?? progress.get();
  keep(brought === null ? own : merged(own, brought));
}

export const getProgress = (): Progress => progress.get();

/** The student's data in a class are those that the class gave them. */
export function setSeed(seed: number): void {
  keep({ ...progress.get(), seed });
}

export function setDone(lesson: string, task: string, medals: readonly string[]): void {
  const own = progress.get();
  keep(merged(own, { ...own, done: { [taskKey(lesson, task)]: medals } }));
}

function keep(next: Progress): void {
  progress.set(next);
  storeText(KEY, JSON.stringify(next));
}

export const useProgress = (): Progress => useExternal(progress, (found) => found);
