/** Starts, follows and cancels the run of the page. */
import { cancelRun, createRun, toProblem } from '../../api/client';
import type { RunView } from '../../api/types';
import { watchRun } from '../../api/run-events';
import { toPlan } from '../../plan/plan';
import { firstComplaint } from '../complaints';
import type { Store } from '../store';

export interface RunControl {
  readonly start: () => Promise<void>;
  readonly cancel: () => Promise<void>;
  readonly stop: () => void;
}

export function createRunControl(store: Store): RunControl {
  let unwatch: (() => void) | null = null;

  const merge = (part: Partial<RunView>): void => {
    const { run } = store.get();
    if (run.view !== null) store.patch({ run: { ...run, view: { ...run.view, ...part }, problem: null } });
  };

  const follow = (id: string): void => {
    unwatch?.();
    unwatch = watchRun(id, {
      onState: (state) => merge(state),
      onProgress: (progress) => merge({ progress }),
      onCut: () => {
        const detail = 'The connection to the run was lost. The run continues, and the page is reconnecting.';
        const problem = { type: 'about:blank', title: 'Reconnecting', status: 0, detail, instance: null };
        store.patch({ run: { ...store.get().run, problem } });
      },
      onEnd: (view) => store.patch({ run: { ...store.get().run, phase: 'ended', view, problem: null } }),
    });
  };

  return {
    start: async () => {
      // The plan holds the last value that could be used, and the field another one.
      if (firstComplaint() !== null) return;
      unwatch?.();
      const plan = toPlan(store.get().draft);
      const shown = store.get().run;
      // Whoever sees the result of this very plan and runs it again wants a new measurement.
      const fresh = shown.view?.state === 'done' && JSON.stringify(shown.plan) === JSON.stringify(plan);
      store.patch({ run: { phase: 'submitting', view: null, plan, problem: null, stored: false } });
      try {
        const view = await createRun(plan, fresh);
        store.patch({ run: { phase: 'watching', view, plan, problem: null, stored: false } });
        follow(view.id);
      } catch (error) {
        store.patch({ run: { phase: 'idle', view: null, plan, problem: toProblem(error), stored: false } });
      }
    },
    cancel: async () => {
      const { run } = store.get();
      if (run.view === null || run.phase !== 'watching') return;
      try {
        await cancelRun(run.view.id);
      } catch (error) {
        store.patch({ run: { ...store.get().run, problem: toProblem(error) } });
      }
    },
    stop: () => unwatch?.(),
  };
}
