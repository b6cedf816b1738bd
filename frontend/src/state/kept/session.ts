/**
 * Undo over a reload: what a tab did is kept in its own session storage when the page goes, and taken up when the same
 * tab opens one of its plans again. Another tab has its own.
 */
import { canonicalJson, EMPTY_DRAFT, toPlan } from '../../plan/plan';
import type { Draft } from '../../plan/plan';
import { LIMIT } from '../plans/history';
import type { Store } from '../store';

const KEY = 'heddle.session.1';
/** Characters; browsers keep about five million for a site. */
const MOST = 1_000_000;

interface Kept {
  readonly drafts: readonly Draft[];
  /** Which of them was on the page. */
  readonly at: number;
}

/** The plans of a tab in their order, those farthest from the present one left out where they are too many. */
export function keptOf(past: readonly Draft[], draft: Draft, future: readonly Draft[]): Kept {
  let [before, after] = [past.slice(-LIMIT), future.slice(0, LIMIT)];
  const size = (): number => JSON.stringify([before, draft, after]).length;
  while (before.length + after.length > 0 && size() > MOST) {
    if (before.length >= after.length) before = before.slice(Math.ceil(before.length / 4));
    else after = after.slice(0, -Math.ceil(after.length / 4));
  }
  return { drafts: [...before, draft, ...after], at: before.length };
}

export function readKept(text: string | null): Kept | null {
  if (text === null) return null;
  try {
    const { drafts, at } = JSON.parse(text) as Partial<Record<keyof Kept, unknown>>;
    if (!Array.isArray(drafts) || !drafts.every(isDraft) || typeof at !== 'number') return null;
    return { drafts, at };
  } catch {
    return null;
  }
}

/** Parts that another version of the page kept differently are no draft. */
function isDraft(value: unknown): value is Draft {
  if (value === null || typeof value !== 'object') return false;
  const one = value as Record<string, unknown>;
  return Object.entries(EMPTY_DRAFT).every(([key, part]) => part === null || typeof one[key] === typeof part);
}

/** The place of a plan among those of the tab, the nearest to `at`; -1 where it was never on the page. */
export function placeOf(drafts: readonly Draft[], at: number, wanted: Draft): number {
  const text = textOf(wanted);
  return drafts.reduce(
    (best, draft, place) =>
      textOf(draft) === text && (best < 0 || Math.abs(place - at) < Math.abs(best - at)) ? place : best,
    -1,
  );
}

/** The address keeps comments, but no blank lines. */
const textOf = (draft: Draft): string =>
  canonicalJson([
    toPlan(draft),
    draft.schedule
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== ''),
  ]);

/** Takes up what this tab did before, where the plan on the page is one of its own; keeps it again when the page goes. */
export function startSession(store: Store, target: Window = window): void {
  const kept = readKept(storage(target)?.getItem(KEY) ?? null);
  const place = kept === null ? -1 : placeOf(kept.drafts, kept.at, store.get().draft);
  if (kept !== null && place >= 0) store.resume(kept.drafts, place);
  target.addEventListener('pagehide', () => {
    const { draft, history } = store.get();
    try {
      storage(target)?.setItem(KEY, JSON.stringify(keptOf(history.past, draft, history.future)));
    } catch {
      // A full storage: the next visit begins without steps of undo.
    }
  });
}

/** Browsers that keep no storage (private windows) still work, for this visit. */
function storage(target: Window): Storage | null {
  try {
    return target.sessionStorage;
  } catch {
    return null;
  }
}
