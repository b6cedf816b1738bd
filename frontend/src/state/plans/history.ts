/** Undo and redo over drafts, as a pure value. */
import type { Draft } from '../../plan/plan';

export interface History {
  readonly past: readonly Draft[];
  readonly future: readonly Draft[];
  readonly mergeKey: string | null;
  /** When the last change was made, in milliseconds. */
  readonly time: number;
}

export const EMPTY_HISTORY: History = { past: [], future: [], mergeKey: null, time: 0 };

/** Steps that are kept. */
export const LIMIT = 200;
const MERGE_WITHIN_MS = 800;

/** The history after `before` was changed; quick changes of the same field stay one step. */
export function record(history: History, before: Draft, mergeKey: string | null, time: number): History {
  const merges = mergeKey !== null && mergeKey === history.mergeKey && time - history.time < MERGE_WITHIN_MS;
  const past = merges ? history.past : [...history.past, before].slice(-LIMIT);
  return { past, future: [], mergeKey, time };
}

export interface Step {
  readonly draft: Draft;
  readonly history: History;
}

export function undo(history: History, current: Draft): Step | null {
  const draft = history.past.at(-1);
  if (draft === undefined) return null;
  const next = { past: history.past.slice(0, -1), future: [current, ...history.future], mergeKey: null, time: 0 };
  return { draft, history: next };
}

export function redo(history: History, current: Draft): Step | null {
  const [draft, ...future] = history.future;
  if (draft === undefined) return null;
  return { draft, history: { past: [...history.past, current], future, mergeKey: null, time: 0 } };
}
