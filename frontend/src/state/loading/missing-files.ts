/**
 * The files of the page that were asked for and did not come. One watch asks for all of them again: when the browser is
 * online, and every few seconds until then, as long as the service has not become a newer one, which no longer has them.
 */
import { HOME } from '../../api/site';
import { createExternal } from '../external';
import { loadFailedStyles } from './stylesheets';

/**
 * Why files are missing: nobody answers, Heddle was updated meanwhile, it answers and they did not come all the same, or
 * they would come, and the browser keeps in mind until a reload that they did not.
 */
export type Cause = 'offline' | 'updated' | 'interrupted' | 'remembered';

export interface MissingFile {
  /** Asks for the file again; true where it came. */
  readonly load: () => Promise<boolean>;
  /** Where it is, as far as the browser says. */
  readonly address: string | null;
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
  void loadOnce();
}

/** The same for a person who waits: where only a new page has the files, it is loaded. The plan is in its address. */
export async function loadOrReload(reload: () => void = () => window.location.reload()): Promise<void> {
  await loadOnce();
  if (missingCause.get() === 'remembered') reload();
}

function loadOnce(): Promise<void> {
  clearTimeout(timer);
  underWay ??= loadAll().finally(() => {
    underWay = null;
    later();
  });
  return underWay;
}

function later(): void {
  clearTimeout(timer);
  if (missing.size === 0) {
    window.removeEventListener('online', loadNow);
    missingCause.set(null);
  } else if (missingCause.get() !== 'updated' && missingCause.get() !== 'remembered') {
    timer = setTimeout(loadNow, PAUSES_MS[Math.min(attempts, PAUSES_MS.length - 1)]);
    attempts += 1;
  }
}

async function loadAll(): Promise<void> {
  await findCause();
  if (missingCause.get() === 'offline' || !(await loadFailedStyles())) return;
  await loadEach();
  if (missing.size === 0 || missingCause.get() !== 'interrupted') return;
  const complete = await Promise.all(
    [...missing].map(({ address }) => address !== null && answers(address, new Set())),
  );
  if (complete.includes(false)) return;
  // They may have come in between.
  await loadEach();
  if (missing.size > 0) missingCause.set('remembered');
}

async function loadEach(): Promise<void> {
  const files = [...missing];
  const arrived = await Promise.all(files.map((file) => file.load()));
  files.forEach((file, index) => {
    if (arrived[index] === true) missing.delete(file);
  });
}

/** Another script that a script of the page begins with. */
const IMPORTS = /(?:from|import)\s*["'](\.\/[^"']+\.js)["']/g;

/** Whether Heddle has a script and all that it imports. */
async function answers(address: string, seen: Set<string>): Promise<boolean> {
  if (seen.has(address)) return true;
  seen.add(address);
  try {
    const answer = await fetch(address, { cache: 'no-store', signal: AbortSignal.timeout(ANSWER_MS) });
    if (!answer.ok) return false;
    const imported = [...(await answer.text()).matchAll(IMPORTS)].map(([, name]) => new URL(name ?? '', address).href);
    return (await Promise.all(imported.map((each) => answers(each, seen)))).every((came) => came);
  } catch {
    return false;
  }
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
