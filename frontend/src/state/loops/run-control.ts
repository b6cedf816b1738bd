/** Starts, follows and cancels the run of the page, and takes up one that was started before the page was loaded. */
import { cancelRun, createRun, getRun, toProblem } from '../../api/client';
import type { Problem, RunView } from '../../api/types';
import { watchRun } from '../../api/run-events';
import { canonicalJson, toPlan } from '../../plan/plan';
import { firstComplaint } from '../editing/complaints';
import type { PlanDocument } from '../../plan/plan';
import { RECONNECTING, shownRun } from '../runs/run-state';
import type { Store } from '../store';

export interface RunControl {
  readonly start: () => Promise<void>;
  /** Shows a run that the service knows by its id; false where it has deleted it, which is `said` where it was missed. */
  readonly resume: (id: string, plan: PlanDocument, said: boolean) => Promise<boolean>;
  readonly cancel: () => Promise<void>;
  readonly stop: () => void;
}

const words = (title: string, detail: string): Problem => ({
  type: 'about:blank',
  title,
  status: 0,
  detail,
  instance: null,
});
const CUT = words(RECONNECTING, 'The connection to the run was lost. The run continues, and the page is reconnecting.');
const GONE = words('The run is gone', 'The service has deleted the run of this page. Press Run to measure again.');

/** `onCut` is told where the service may be gone: whoever knows more asks it. */
export function createRunControl(store: Store, onCut: () => void = () => undefined): RunControl {
  let unwatch: (() => void) | null = null;
  // Of the run that the page follows; null before the service has answered.
  let current: string | null = null;
  let cancelled = false;

  const merge = (part: Partial<RunView>): void => {
    const { run } = store.get();
    if (run.view !== null) store.patch({ run: { ...run, view: { ...run.view, ...part }, problem: null } });
  };

  const end = (view: RunView): void => {
    const { run } = store.get();
    const earlier = view.result ? null : (run.earlier ?? null);
    store.patch({ run: { ...run, phase: 'ended', view, problem: null, earlier } });
  };

  const follow = (id: string): void => {
    unwatch?.();
    current = id;
    unwatch = watchRun(id, {
      onState: (state) => merge(state),
      onProgress: (progress) => merge({ progress }),
      onCut: () => {
        const { run } = store.get();
        // Said once: each further attempt that fails changes nothing.
        if (run.problem !== CUT) onCut();
        store.patch({ run: { ...run, problem: CUT } });
      },
      onEnd: end,
    });
  };

  const cancel = async (): Promise<void> => {
    cancelled = true;
    if (current === null || store.get().run.phase !== 'watching') return;
    try {
      await cancelRun(current);
    } catch (error) {
      store.patch({ run: { ...store.get().run, problem: toProblem(error) } });
    }
  };

  return {
    start: async () => {
      // The plan holds the last value that could be used, and the field another one.
      if (firstComplaint() !== null) return;
      unwatch?.();
      current = null;
      cancelled = false;
      const plan = toPlan(store.get().draft);
      const shown = store.get().run;
      const earlier = shownRun(shown);
      // Whoever sees the result of this very plan and runs it again wants a new measurement.
      const fresh = earlier?.view.state === 'done' && canonicalJson(earlier.plan) === canonicalJson(plan);
      store.patch({ run: { phase: 'submitting', view: null, plan, problem: null, stored: false, earlier } });
      try {
        const view = await createRun(plan, fresh);
        store.patch({ run: { phase: 'watching', view, plan, problem: null, stored: false, earlier } });
        follow(view.id);
        if (cancelled) await cancel();
      } catch (error) {
        const problem = toProblem(error);
        store.patch({ run: { phase: 'idle', view: null, plan, problem, stored: false, earlier } });
      }
    },
    resume: async (id, plan, said) => {
      unwatch?.();
      current = id;
      cancelled = false;
      const resumed = { view: null, plan, problem: null, stored: false } as const;
      store.patch({ run: { ...resumed, phase: 'watching' } });
      try {
        const view = await getRun(id);
        // The person may have started another one meanwhile.
        if (current !== id) return true;
        const ended = view.finished !== null;
        store.patch({ run: { ...resumed, phase: ended ? 'ended' : 'watching', view } });
        if (!ended) follow(id);
        if (cancelled) await cancel();
      } catch (error) {
        if (current !== id) return true;
        if (toProblem(error).status === 404) {
          store.patch({ run: { ...resumed, phase: 'idle', plan: null, problem: said ? GONE : null } });
          return false;
        }
        store.patch({ run: { ...resumed, phase: 'watching', problem: CUT } });
        follow(id);
      }
      return true;
    },
    cancel,
    stop: () => unwatch?.(),
  };
}
