/** The receipts of tasks that are done, kept in this browser: each may be copied whenever it is wanted. */
import { storedText, storeText } from '../kept/browser-storage';
import { createExternal, useExternal } from '../external';
import { LESSON, TASK } from './names';

/** By `lesson/task`, as addresses without their origin. */
export type Receipts = Readonly<Record<string, string>>;

const KEY = 'heddle.receipts.1';
const LONGEST = 100_000;
/** Behind the folders that the page lies in; never on another host. */
const ADDRESS = new RegExp(String.raw`^/(?:[\w.~%-]+/)*[\w.~%-]*\?lesson=${LESSON}&task=${TASK}&seed=\d+&`);

/** What is no receipt is left out: the storage may hold anything. */
export function readReceipts(text: string | null): Receipts {
  try {
    const stored: unknown = JSON.parse(text ?? '');
    if (typeof stored !== 'object' || stored === null) return {};
    return Object.fromEntries(
      Object.entries(stored).filter(
        (entry): entry is [string, string] => typeof entry[1] === 'string' && ADDRESS.test(entry[1]),
      ),
    );
  } catch {
    return {};
  }
}

const receipts = createExternal<Receipts>({});
let loaded = false;

/** Once, when the course is first opened. */
export function loadReceipts(): void {
  if (loaded) return;
  loaded = true;
  receipts.set({ ...readReceipts(storedText(KEY)), ...receipts.get() });
}

/** The latest of a task takes the place of the one before. */
export function keepReceipt(task: string, address: string): void {
  if (address.length > LONGEST) return;
  receipts.set({ ...receipts.get(), [task]: address });
  storeText(KEY, JSON.stringify(receipts.get()));
}

export const useReceipt = (task: string): string | null => useExternal(receipts, (known) => known[task] ?? null);
