/** What was measured in this browser, visit after visit: a line for each run that ended with a result. */
import { storedText, storeText } from '../kept/browser-storage';
import type { RunResult, RunView } from '../../api/types';
import { createExternal, useExternal } from '../external';
import type { PlanDocument } from '../../plan/plan';
import type { Store } from '../store';

export interface Measured {
  /** The id of the run at the service. */
  readonly id: string;
  readonly date: string;
  readonly plan: PlanDocument;
  readonly inputs: string;
  readonly threads: number;
  readonly verified: boolean;
  /** Nothing can be concluded from the run; results of before do not say so. */
  readonly noisy?: boolean;
  readonly median: number | null;
  readonly rate: number | null;
  readonly share: number | null;
  /** Time of each other contender over ours, by its label: above 1 ours is faster. */
  readonly ratios: Readonly<Record<string, number>>;
  readonly pinned: boolean;
}

const KEY = 'heddle.results.1';
const MOST = 200;

export const measured = createExternal<readonly Measured[]>([]);
export const useMeasured = (): readonly Measured[] => useExternal(measured, (all) => all);

export function measuredOf(view: RunView, result: RunResult): Measured {
  const ours = result.entries.find(({ id }) => id === 'heddle');
  return {
    id: view.id,
    date: result.date,
    plan: view.plan as PlanDocument,
    inputs: result.inputs.map(({ tensor, source }) => `${tensor}: ${source}`).join(', '),
    threads: result.threads,
    verified: result.verification.ok,
    noisy: result.conclusion?.noisy ?? false,
    median: ours?.median_ns ?? null,
    rate: ours?.gigabytes_per_second ?? null,
    share: ours?.bandwidth_share ?? null,
    ratios: Object.fromEntries(
      result.entries.flatMap(({ id, label, ratio_to_heddle: ratio }) =>
        id === 'heddle' || ratio === null ? [] : [[label, ratio.value]],
      ),
    ),
    pinned: false,
  };
}

/** The newest first; a run that is known already keeps its place and its pin. Pinned ones are never dropped. */
export function withMeasured(all: readonly Measured[], one: Measured): readonly Measured[] {
  if (all.some(({ id }) => id === one.id)) return all;
  const next = [one, ...all];
  let surplus = next.length - MOST;
  return surplus <= 0
    ? next
    : next
        .reverse()
        .filter(({ pinned }) => pinned || surplus-- <= 0)
        .reverse();
}

export function readMeasured(text: string | null): readonly Measured[] {
  if (text === null) return [];
  try {
    const found: unknown = JSON.parse(text);
    return Array.isArray(found) ? found.filter(isMeasured) : [];
  } catch {
    return [];
  }
}

function isMeasured(value: unknown): value is Measured {
  if (value === null || typeof value !== 'object') return false;
  const one = value as Partial<Record<keyof Measured, unknown>>;
  const plan = one.plan as Partial<Record<keyof PlanDocument, unknown>> | null | undefined;
  return (
    typeof one.id === 'string' &&
    typeof one.date === 'string' &&
    typeof one.inputs === 'string' &&
    typeof plan?.expression === 'string' &&
    one.ratios !== null &&
    typeof one.ratios === 'object'
  );
}

/** What the storage holds: another tab of the page may have written since this one read. Null where there is none. */
function kept(): readonly Measured[] | null {
  const text = storedText(KEY);
  return text === null ? null : readMeasured(text);
}

/** Changes what is kept, and not what this tab last saw of it: no tab undoes what another one did. */
function change(next: (all: readonly Measured[]) => readonly Measured[]): void {
  const all = next(kept() ?? measured.get());
  measured.set(all);
  storeText(KEY, JSON.stringify(all));
}

export const pin = (id: string, pinned: boolean): void =>
  change((all) => all.map((one) => (one.id === id ? { ...one, pinned } : one)));
export const forget = (id: string): void => change((all) => all.filter((one) => one.id !== id));

/** Adds the line of a run that has a result. */
export function keep(view: RunView): void {
  const { result } = view;
  if (!result || measured.get().some(({ id }) => id === view.id)) return;
  change((all) => withMeasured(all, measuredOf(view, result)));
}

/** Reads what is kept, also what other tabs keep later, and adds every run of the page that ends with a result. */
export function startMeasured(store: Store): void {
  measured.set(kept() ?? []);
  window.addEventListener('storage', ({ key }) => {
    if (key === KEY) measured.set(kept() ?? []);
  });
  let last: RunView | null = null;
  const add = (): void => {
    const { phase, view } = store.get().run;
    // Once: a line that was taken away stays away.
    if (phase !== 'ended' || view === null || view === last) return;
    last = view;
    keep(view);
  };
  add();
  store.subscribe(add);
}
