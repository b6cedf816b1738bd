/** The legal commands in React. */
import { useEffect } from 'react';
import { useExternal } from './external';
import { legalKey } from './editing/legal';
import type { LegalState } from './editing/legal';
import { toPlan } from '../plan/plan';
import { useSelect, useStore } from './store';

export interface LegalNow {
  readonly view: LegalState['view'];
  readonly problem: LegalState['problem'];
  /** The answer is about another text than the one in the editor. */
  readonly stale: boolean;
}

/** What may come next, fetched while mounted and `active`. */
export function useLegal(active = true): LegalNow {
  const { legal } = useStore();
  useEffect(() => (active ? legal.want() : undefined), [legal, active]);
  const { view, key, problem } = useExternal(legal, (state) => state);
  const draft = useSelect((state) => state.draft);
  return { view, problem, stale: view === null || key !== legalKey(toPlan(draft)) };
}
