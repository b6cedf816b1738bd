/** Asks for the legal commands of the plan that compiles now, while somebody shows or needs them. */
import { getLegal, getMoreLegal, isAbort, mayComeLater, RETRY_MS, toProblem } from '../../api/client';
import type { LegalView } from '../../api/types';
import { canonicalJson, toPlan, tracedPlan } from '../../plan/plan';
import type { PlanDocument } from '../../plan/plan';
import type { Store } from '../store';

export type AskMore = (plan: PlanDocument, command: string, start: number) => Promise<LegalView>;

/** Asks for candidates of `command` that the answer left out, and puts them behind those that it has. */
export async function listMore(store: Store, command: string, ask: AskMore = getMoreLegal): Promise<void> {
  const { legal } = store;
  const { view, key } = legal.get();
  const plan = tracedPlan(toPlan(store.get().draft));
  const known = view?.commands.find(({ name }) => name === command)?.candidates ?? [];
  if (view === null || key !== canonicalJson(plan)) return;
  try {
    const more = (await ask(plan, command, known.length)).commands.find(({ name }) => name === command);
    // Another plan, or another press, was faster.
    if (legal.get().view !== view || more === undefined) return;
    const commands = view.commands.map((group) =>
      group.name === command ? { ...more, candidates: [...known, ...more.candidates] } : group,
    );
    legal.set({ ...legal.get(), view: { ...view, commands }, problem: null });
  } catch (error) {
    legal.set({ ...legal.get(), problem: toProblem(error) });
  }
}

export type AskLegal = (plan: PlanDocument, signal: AbortSignal) => Promise<LegalView>;

/** Keeps the answer true to the draft, after each compile. Returns what ends the loop. */
export function startLegalLoop(store: Store, ask: AskLegal = getLegal): () => void {
  const { legal } = store;
  let running: AbortController | null = null;
  let asked = '';
  let timer: ReturnType<typeof setTimeout> | undefined;

  const fetchFor = async (plan: PlanDocument, key: string): Promise<void> => {
    clearTimeout(timer);
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
      if (mayComeLater(error)) timer = setTimeout(again, RETRY_MS);
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
  const again = (): void => {
    compile = null;
    look();
  };
  const ends = [store.subscribe(look), legal.subscribe(look)];
  look();
  return () => {
    ends.forEach((end) => end());
    clearTimeout(timer);
    running?.abort();
  };
}
