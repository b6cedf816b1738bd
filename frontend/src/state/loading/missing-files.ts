/**
 * The files of the page that were asked for and did not come. One watch asks for all of them again: when the browser is
 * online, and every few seconds until then, as long as the service has not become a newer one, which no longer has them.
 */
import { HOME } from '../../api/site';
import { createExternal } from '../external';
import { loadFailedStyles } from './stylesheets';

/** Why files are missing: nobody answers, Heddle was updated meanwhile, or it answers and they did not come all the same. */
export type Cause = 'offline' | 'updated' | 'interrupted';

export interface MissingFile {
  /** Asks for the file again; true where it came. */
  readonly load: () => Promise<boolean>;
}

/** The pauses between two attempts; the last one repeats. */
const PAUSES_MS = [1000, 2000, 4000, 8000, 15_000] as const;
const ANSWER_MS = 10_000;

/** Null while no file is missing, or before it is known why. */
export const missingCause = createExternal<Cause | null>(null);

const missing = new Set<MissingFile>();
let attempts = 0;
let timer: ReturnType<typeof setTimeout> | undefined;
let underWay: Promise<void> | null = null;

export function reportMissing(file: MissingFile): void {
  const first = missing.size === 0;
  missing.add(file);
  if (!first) return;
  attempts = 0;
  window.addEventListener('online', loadNow);
  void findCause().then(later);
}

/** Asks for all missing files at once. */
export function loadNow(): void {
  clearTimeout(timer);
  underWay ??= loadAll().finally(() => {
    underWay = null;
    later();
  });
}

function later(): void {
  clearTimeout(timer);
  if (missing.size === 0) {
    window.removeEventListener('online', loadNow);
    missingCause.set(null);
  } else if (missingCause.get() !== 'updated') {
    timer = setTimeout(loadNow, PAUSES_MS[Math.min(attempts, PAUSES_MS.length - 1)]);
    attempts += 1;
  }
}

async function loadAll(): Promise<void> {
  await findCause();
  if (missingCause.get() === 'offline' || !(await loadFailedStyles())) return;
  const files = [...missing];
  const arrived = await Promise.all(files.map((file) => file.load()));
  files.forEach((file, index) => {
    if (arrived[index] === true) missing.delete(file);
  });
}

async function findCause(): Promise<void> {
  missingCause.set(await cause());
}

/** A page names its first script with a digest of everything: another name there is another Heddle. */
async function cause(): Promise<Cause> {
  const script = document.querySelector<HTMLScriptElement>('script[type=module][src]')?.getAttribute('src') ?? '';
  try {
    const answer = await fetch(HOME, { cache: 'no-store', signal: AbortSignal.timeout(ANSWER_MS) });
    if (!answer.ok) return 'offline';
    return (await answer.text()).includes(script) ? 'interrupted' : 'updated';
  } catch {
    return 'offline';
  }
}
