/** What the state of a run means for the rest of the page. */
import { awaitsFirst } from '../loading/expected';
import type { EarlierRun, RunState, State } from '../store';

/** Why the plan cannot be run now, as a sentence; null where it can. */
export function runObstacle(state: State): string | null {
  const { compile } = state;
  if (awaitsFirst(state)) return 'The plan is being compiled.';
  if (compile.phase === 'offline') return 'The service does not answer.';
  // Too large to be compiled at all: the last answer is one to another text.
  if (compile.phase === 'failed' || !(compile.result?.ok ?? false))
    return 'The plan must compile before it can run: see the messages above.';
  return null;
}

export const isRunning = ({ phase }: RunState): boolean => phase === 'submitting' || phase === 'watching';

/** The title of what stands beside a run whose stream has ended before it. */
export const RECONNECTING = 'Reconnecting';

/** How far the run is cannot be known until its stream is open again. */
export const isCut = ({ problem }: Pick<RunState, 'problem'>): boolean => problem?.title === RECONNECTING;

/** The run whose result is on the screen: this one, else the one before. */
export function shownRun({ view, plan, stored, earlier }: RunState): EarlierRun | null {
  return view?.result && plan !== null ? { view, plan, stored } : (earlier ?? null);
}

/** Whether there is anything to see of a run: before, the Run pane is a strip. */
export const hasRun = ({ phase, view, problem, earlier }: RunState): boolean =>
  phase !== 'idle' || view !== null || problem !== null || Boolean(earlier);
