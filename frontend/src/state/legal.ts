/**
 * What may come next: the legal commands of the plan on the page, asked for while somebody shows or needs them.
 *
 * It has listeners of its own, as the playback has. Read it with `useLegal()` (use-legal.ts).
 */
import { getLegal, isAbort, toProblem } from '../api/client';
import type { LegalView, Problem } from '../api/types';
import { createExternal } from './external';
import type { External } from './external';
import { canonicalJson, toPlan } from './plan';
import type { PlanDocument } from './plan';
import type { Store } from './store';
import { tracedPlan } from './trace-loop';

export interface LegalState {
  /** The last answer; it stays while a newer one is on its way. */
  readonly view: LegalView | null;
  /** The plan that `view` is about, as {@link legalKey} writes it. */
  readonly key: string;
  readonly problem: Problem | null;
  /** How many parts of the page need the answer; nothing is asked at 0. */
  readonly wanted: number;
}

export type Legal = External<LegalState> & {
  /** Call what it returns when the answer is no longer needed. */
  readonly want: () => () => void;
};

export function createLegal(): Legal {
  const external = createExternal<LegalState>({ view: null, key: '', problem: null, wanted: 0 });
  const add = (by: number): void => external.set({ ...external.get(), wanted: external.get().wanted + by });
  return {
    ...external,
    want: () => {
      add(1);
      return () => add(-1);
    },
  };
}

/** The same text for plans with the same legal commands: data and measuring play no part. */
export const legalKey = (plan: PlanDocument): string => canonicalJson(tracedPlan(plan));

export type AskLegal = (plan: PlanDocument, signal: AbortSignal) => Promise<LegalView>;

/** Keeps the answer true to the draft, after each compile. Returns what ends the loop. */
export function startLegalLoop(store: Store, ask: AskLegal = getLegal): () => void {
  const { legal } = store;
  let running: AbortController | null = null;
  let asked = '';

  const fetchFor = async (plan: PlanDocument, key: string): Promise<void> => {
    running?.abort();
    const controller = new AbortController();
    running = controller;
    try {
      const view = await ask(plan, controller.signal);
      if (running === controller) legal.set({ ...legal.get(), view, key, problem: null });
    } catch (error) {
      if (running !== controller || isAbort(error)) return;
      asked = ''; // The next change asks again.
      legal.set({ ...legal.get(), problem: toProblem(error) });
    }
  };

  let compile: unknown = null;
  let wanted = false;
  const look = (): void => {
    const state = store.get();
    const now = legal.get().wanted > 0;
    if (state.compile === compile && now === wanted) return;
    [compile, wanted] = [state.compile, now];
    if (!now || state.compile.phase !== 'done') return;
    const plan = tracedPlan(toPlan(state.draft));
    const key = canonicalJson(plan);
    if (key === asked) return;
    asked = key;
    void fetchFor(plan, key);
  };
  const ends = [store.subscribe(look), legal.subscribe(look)];
  look();
  return () => {
    ends.forEach((end) => end());
    running?.abort();
  };
}
