/**
 * The runs of this browser, so that none is forgotten: the one of the page is shown again when the page is loaded again, and
 * one that ended while no page was looking still gets its line among all results.
 */
import { getRun, toProblem } from '../../api/client';
import type { PlanDocument } from '../../plan/plan';
import { canonicalJson, toPlan } from '../../plan/plan';
import { keep, measured } from '../runs/measured';
import type { Store } from '../store';
import type { RunControl } from './run-control';

export interface KnownRun {
  readonly id: string;
  readonly plan: PlanDocument;
}

/** In the storage of the tab: what the page shows. */
const SHOWN = 'heddle.run.1';
/** In the storage of the browser: what had not ended when it was last seen. */
const PENDING = 'heddle.pending.1';
const MOST_PENDING = 20;
/** Stands for the id of a run that was asked for, before the service has given it one. */
const UNANSWERED = '';

export function readRuns(text: string | null): readonly KnownRun[] {
  if (text === null) return [];
  try {
    const found: unknown = JSON.parse(text);
    return Array.isArray(found) ? found.filter(isKnown) : [];
  } catch {
    return [];
  }
}

function isKnown(value: unknown): value is KnownRun {
  if (value === null || typeof value !== 'object') return false;
  const { id, plan } = value as Partial<Record<keyof KnownRun, unknown>>;
  return typeof id === 'string' && plan !== null && typeof plan === 'object' && 'expression' in plan;
}

/** The run to show when the page opens: after a reload the one that was there, else one of this very plan. */
export function runToShow(
  shown: KnownRun | undefined,
  others: readonly KnownRun[],
  plan: PlanDocument,
  reloaded: boolean,
): KnownRun | undefined {
  const wanted = canonicalJson(plan);
  const same = (one: KnownRun): boolean => canonicalJson(one.plan) === wanted;
  return shown !== undefined && (reloaded || same(shown)) ? shown : others.find(same);
}

function read(storage: 'sessionStorage' | 'localStorage', key: string): readonly KnownRun[] {
  try {
    return readRuns(window[storage].getItem(key));
  } catch {
    return []; // A browser that keeps no storage: runs are known for as long as the page is open.
  }
}

function write(storage: 'sessionStorage' | 'localStorage', key: string, runs: readonly KnownRun[]): void {
  try {
    window[storage].setItem(key, JSON.stringify(runs));
  } catch {
    // As above.
  }
}

const pendingWithout = (id: string): KnownRun[] => read('localStorage', PENDING).filter((one) => one.id !== id);
const settle = (id: string): void => write('localStorage', PENDING, pendingWithout(id));

/** Asks what became of the runs that had not ended; those with a result get their line among all results. */
export async function settlePending(): Promise<void> {
  for (const { id } of read('localStorage', PENDING)) {
    try {
      const view = await getRun(id);
      if (view.finished === null) continue;
      keep(view);
      settle(id);
    } catch (error) {
      if (toProblem(error).status === 404) settle(id);
    }
  }
}

const wasReloaded = (): boolean =>
  performance
    .getEntriesByType('navigation')
    .some((entry) => ['reload', 'back_forward'].includes((entry as PerformanceNavigationTiming).type));

/** The result of the run before, for a run that ended without one. */
async function showEarlier(store: Store, { id, plan }: KnownRun): Promise<void> {
  try {
    const view = await getRun(id);
    const { run } = store.get();
    if (view.result && !run.view?.result) store.patch({ run: { ...run, earlier: { view, plan, stored: false } } });
  } catch {
    // Deleted, or the service is away: then there is no earlier result to show.
  }
}

/** Shows the run that belongs to the page as it opens, and remembers every run of the page from now on. */
export function startRunMemory(store: Store, control: RunControl): void {
  const { draft, run } = store.get();
  const [shown, earlier] = read('sessionStorage', SHOWN);
  const known = runToShow(shown, [...read('localStorage', PENDING), ...measured.get()], toPlan(draft), wasReloaded());
  let last: unknown = null;
  store.subscribe(() => {
    const { phase, view, plan, earlier: before } = store.get().run;
    const id = view?.id ?? (phase === 'submitting' ? UNANSWERED : null);
    if (id === null || plan === null || last === `${phase} ${id} ${before?.view.id}`) return;
    last = `${phase} ${id} ${before?.view.id}`;
    const kept = before ? [{ id: before.view.id, plan: before.plan }] : [];
    write('sessionStorage', SHOWN, [{ id, plan }, ...kept]);
    if (id === UNANSWERED) return;
    if (phase === 'ended') settle(id);
    else write('localStorage', PENDING, [{ id, plan }, ...pendingWithout(id)].slice(0, MOST_PENDING));
  });
  void settlePending();
  // A link brings its own result.
  if (run.view !== null || known === undefined) return;
  if (known.id === UNANSWERED) {
    // Loaded again before the service had answered: whatever became of that request, the person asked for this run.
    if (canonicalJson(known.plan) === canonicalJson(toPlan(draft))) void control.start();
    return;
  }
  void control.resume(known.id, known.plan, known === shown).then((there) => {
    if (there && known === shown && earlier !== undefined) void showEarlier(store, earlier);
    if (there) return;
    settle(known.id);
    write('sessionStorage', SHOWN, []);
  });
}
