/** What the Run button and its key do. */
import { firstComplaint } from '../editing/complaints';
import { isRunning, runObstacle } from '../runs/run-state';
import type { Store } from '../store';
import type { ViewState } from '../view-state';
import type { RunControl } from './run-control';

/**
 * Runs the plan of the page and brings the run into sight; what cannot be run is compiled, so that messages are new. A field
 * whose text cannot be used holds the run back: the reason stands beside the button.
 */
export function runNow(store: Store, run: RunControl, compileNow: () => void): void {
  const state = store.get();
  if (isRunning(state.run)) return;
  if (runObstacle(state) !== null) return compileNow();
  const wide = window.matchMedia('(min-width: 1200px)').matches;
  const hidden = state.view.maximised !== null && state.view.maximised !== 'run';
  const seen: Partial<ViewState> = { ...(hidden ? { maximised: null } : {}), ...(wide ? {} : { front: 'run' }) };
  if (firstComplaint() !== null) return store.look(seen);
  store.look({ run: 'result', ...seen });
  void run.start();
}
