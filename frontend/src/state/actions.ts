/** What the page can do beyond changing its state: compile now, run, cancel. Made once, when the page starts. */
import { createContext, useContext } from 'react';
import type { RunControl } from './loops/run-control';

export interface Actions {
  readonly compileNow: () => void;
  readonly runNow: () => void;
  readonly run: RunControl;
}

const ActionsContext = createContext<Actions | null>(null);
export const ActionsProvider = ActionsContext.Provider;

export function useActions(): Actions {
  const actions = useContext(ActionsContext);
  if (actions === null) throw new Error('useActions needs an ActionsProvider above it');
  return actions;
}
