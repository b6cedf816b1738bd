/** Compiles as the person types: the first key at once, those of a burst after it, and never two answers out of order. */
import { compile as compileRequest, isAbort, mayComeLater, OfflineError, RETRY_MS, toProblem } from '../../api/client';
import type { CompileView } from '../../api/types';
import { beforeRefused, nextShown } from '../shown';
import { canonicalJson, toPlan } from '../../plan/plan';
import type { PlanDocument } from '../../plan/plan';
import type { Store } from '../store';

/**
 * Keys that follow each other more closely than this are a burst, which is compiled once, this long after its last one:
 * as long as the last answer took, so that a busy service is asked less.
 */
export const PAUSE_MS = { least: 16, most: 200 } as const;

export type Compile = (plan: PlanDocument, signal: AbortSignal) => Promise<CompileView>;

export interface CompileLoop {
  /** Compiles now, without the pause, unless the answer is on its way. */
  readonly force: () => void;
  readonly stop: () => void;
}

export function startCompileLoop(store: Store, compile: Compile = compileRequest): CompileLoop {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running: AbortController | null = null;
  let asked = '';
  let pause: number = PAUSE_MS.least;
  let changed = -Infinity;

  const later = (delay: number): void => {
    clearTimeout(timer);
    timer = setTimeout(() => void run(), delay);
  };

  /** What is drawn while a command is refused: the plan of those before it, which comes in the same answer. */
  const drawnInstead = (plan: PlanDocument, result: CompileView) => {
    const before = beforeRefused(plan, result);
    if (before === null || result.before === null) return null;
    const { shown } = store.get().compile;
    // Whoever types a command at the end is still in front of the same plan: nothing is drawn anew.
    const same = shown?.view.ok && canonicalJson(shown.plan) === canonicalJson(before);
    return { plan: before, view: same ? shown.view : result.before };
  };

  const run = async (): Promise<void> => {
    clearTimeout(timer);
    running?.abort();
    const controller = new AbortController();
    running = controller;
    const state = store.get();
    const plan = toPlan(state.draft);
    asked = canonicalJson(plan);
    store.patch({ compile: { ...state.compile, phase: 'compiling' } });
    const begun = performance.now();
    try {
      const result = await compile(plan, controller.signal);
      pause = Math.min(Math.max(performance.now() - begun, PAUSE_MS.least), PAUSE_MS.most);
      if (running !== controller) return;
      const shown = nextShown(store.get().compile.shown, plan, result, drawnInstead(plan, result));
      store.patch({ compile: { phase: 'done', result, shown, problem: null } });
    } catch (error) {
      if (running !== controller || isAbort(error)) return;
      const offline = error instanceof OfflineError;
      const compileState = store.get().compile;
      store.patch({ compile: { ...compileState, phase: offline ? 'offline' : 'failed', problem: toProblem(error) } });
      if (mayComeLater(error)) later(RETRY_MS);
    } finally {
      if (running === controller) running = null;
    }
  };

  const unsubscribe = store.subscribe(() => {
    const text = canonicalJson(toPlan(store.get().draft));
    if (text === asked) return;
    asked = text;
    const before = changed;
    changed = performance.now();
    if (running === null && changed - before >= pause) {
      void run();
      return;
    }
    // An answer that is on its way belongs to an older text.
    running?.abort();
    running = null;
    store.patch({ compile: { ...store.get().compile, phase: 'waiting' } });
    later(pause);
  });

  void run();
  return {
    force: () => {
      if (running === null) void run();
    },
    stop: () => {
      unsubscribe();
      clearTimeout(timer);
      running?.abort();
    },
  };
}
