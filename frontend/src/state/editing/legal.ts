/**
 * What may come next: the legal commands of the plan on the page. loops/legal-loop.ts keeps the answer true to the draft.
 *
 * It has its own listeners, as the playback has. Read it with `useLegal()` (use-legal.ts).
 */
import type { LegalView, Problem } from '../../api/types';
import { canonicalJson, tracedPlan } from '../../plan/plan';
import type { PlanDocument } from '../../plan/plan';
import { createExternal } from '../external';
import type { External } from '../external';

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
