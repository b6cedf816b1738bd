/** Fetches the trace of the plan that the panels draw, on the chosen operands, while a panel shows it. */
import { isAbort, mayComeLater, RETRY_MS, toProblem, trace as traceRequest } from '../../api/client';
import type { Operands, TraceView } from '../../api/types';
import { becomesLoops, canonicalJson, tracedPlan } from '../../plan/plan';
import type { PlanDocument } from '../../plan/plan';
import { operandsOf } from '../data/example-data';
import type { Store } from '../store';

export type Trace = (plan: PlanDocument, operands: Operands, signal: AbortSignal) => Promise<TraceView>;

/** Returns what ends the loop. */
export function startTraceLoop(store: Store, trace: Trace = traceRequest): () => void {
  const { playback } = store;
  let asked = '';
  let answered = '';
  let hash = '';
  let running: AbortController | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const ask = async (plan: PlanDocument, operands: Operands, text: string): Promise<void> => {
    clearTimeout(timer);
    running?.abort();
    const controller = new AbortController();
    running = controller;
    playback.pause();
    playback.loading();
    try {
      const answer = await trace(plan, operands, controller.signal);
      if (running !== controller) return;
      answered = text;
      playback.show(answer);
      playback.belongsTo(hash);
    } catch (error) {
      if (running !== controller || isAbort(error)) return;
      asked = ''; // The next change asks again, even when it goes back to this plan.
      playback.fail(toProblem(error));
      if (mayComeLater(error)) timer = setTimeout(again, RETRY_MS);
    }
  };

  let compile: unknown = null;
  let data: unknown = null;
  let wanted = false;
  const look = (): void => {
    const state = store.get();
    const play = playback.get();
    const now = play.wanted > 0;
    // Called at each frame of a play: only these can change what there is to ask.
    if (state.compile === compile && play.data === data && now === wanted) return;
    [compile, data, wanted] = [state.compile, play.data, now];
    const { phase, shown } = state.compile;
    // A plan that does not compile has no run; the last trace stays.
    if (!now || phase !== 'done' || shown?.view.ok !== true || becomesLoops(shown.plan.language)) return;
    const plan = tracedPlan(shown.plan);
    const operands = operandsOf(play.data, shown.view);
    const text = canonicalJson({ plan, operands });
    hash = shown.view.hash;
    if (text === asked) {
      // Only what a trace does not depend on changed, such as the inputs of a run.
      if (answered === text) playback.belongsTo(hash);
      return;
    }
    asked = text;
    void ask(plan, operands, text);
  };
  const again = (): void => {
    compile = null;
    look();
  };
  const ends = [store.subscribe(look), playback.subscribe(look)];
  look();
  return () => {
    ends.forEach((end) => end());
    clearTimeout(timer);
    running?.abort();
  };
}
