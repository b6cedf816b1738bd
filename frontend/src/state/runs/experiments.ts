/**
 * The runs of guided experiments: asked for one after the other, whatever tab is in front. The service keeps what was
 * measured, so that an experiment goes on where it was broken off, after a reload too.
 */
import { cancelRun, createRun, getMeasuredPoints, getRun, startDecomposition, toProblem } from '../../api/client';
import type { AlgorithmDocument, DecompositionView, ExperimentView, RunView } from '../../api/types';
import { createExternal, useExternal } from '../external';
import type { PlanDocument } from '../../plan/plan';

/** A run of a point: of a plan, or of a decomposition. */
export type PointView = RunView | DecompositionView;
type PointDocument = PlanDocument | AlgorithmDocument;

export interface ExperimentState {
  /** The experiment that is shown, or '' for the first: it stays where the panel goes and comes back, as it does when a
   * window becomes narrow. */
  readonly chosen: string;
  /** The experiment that is being measured, or null. */
  readonly measuring: string | null;
  /** The latest run of each point, by {@link pointKey}. */
  readonly runs: Readonly<Record<string, PointView>>;
  readonly problem: string | null;
}

interface Api {
  readonly createRun: (plan: PointDocument, fresh: boolean) => Promise<PointView>;
  readonly getMeasuredPoints: (experiment: string) => Promise<readonly (PointView | null)[]>;
  readonly getRun: (id: string) => Promise<PointView>;
  readonly cancelRun: (id: string) => Promise<PointView>;
}

const POLL_MS = 400;
const ENDED: ReadonlySet<RunView['state']> = new Set<RunView['state']>([
  'done',
  'failed',
  'refused',
  'cancelled',
  'timeout',
  'oom',
  'crashed',
  'lost',
]);
const NOTHING: ExperimentState = { chosen: '', measuring: null, runs: {}, problem: null };

export const pointKey = (experiment: string, index: number): string => `${experiment} ${index}`;

/** About how long the runs that are missing will take: as long as those that were measured, else as the service expects. */
export function secondsLeft(
  { points, seconds_per_run: expected }: Pick<ExperimentView, 'points' | 'seconds_per_run'>,
  views: readonly (PointView | undefined)[],
): number | null {
  const took = views
    .flatMap((view) =>
      view?.state === 'done' && view.started !== null && view.finished !== null
        ? [(Date.parse(view.finished) - Date.parse(view.started)) / 1000]
        : [],
    )
    .sort((left, right) => left - right);
  const typical = took[Math.floor(took.length / 2)] ?? expected;
  const missing = points.length - views.filter((view) => view?.state === 'done').length;
  return typical === undefined || missing === 0 ? null : missing * typical;
}

export function createExperiments(api: Api, pause: () => Promise<void>) {
  const state = createExternal(NOTHING);
  let stopping = false;
  // Experiments that are measured once more: what the service has measured before does not count.
  const anew = new Set<string>();
  const set = (part: Partial<ExperimentState>): void => state.set({ ...state.get(), ...part });
  const measure = async (experiment: string, index: number, plan: PointDocument): Promise<void> => {
    let view = await api.createRun(plan, anew.has(experiment));
    const keep = (next: PointView): void =>
      set({ runs: { ...state.get().runs, [pointKey(experiment, index)]: (view = next) } });
    keep(view);
    while (!ENDED.has(view.state)) {
      await pause();
      keep(await (stopping ? api.cancelRun(view.id) : api.getRun(view.id)));
    }
    if (view.state !== 'done' && !stopping) {
      throw new Error(view.problem?.detail ?? `A run ended as ${view.state}.`);
    }
  };
  return {
    ...state,
    choose: (chosen: string): void => set({ chosen }),
    /** Takes over what the service has measured of an experiment; what this visit has measured stays. */
    restore: async (experiment: string): Promise<void> => {
      const found = await api.getMeasuredPoints(experiment);
      if (anew.has(experiment)) return;
      const known = found.flatMap((view, index) =>
        view === null ? [] : [[pointKey(experiment, index), view] as const],
      );
      set({ runs: { ...Object.fromEntries(known), ...state.get().runs } });
    },
    /** Measures every point that has no result yet; ends early at the first run that fails, and says why. */
    start: async (experiment: ExperimentView): Promise<void> => {
      if (state.get().measuring !== null) return;
      stopping = false;
      set({ measuring: experiment.id, problem: null });
      try {
        for (const [index, point] of experiment.points.entries()) {
          if (stopping) break;
          const known = state.get().runs[pointKey(experiment.id, index)];
          if (known?.state !== 'done') await measure(experiment.id, index, point.plan as PointDocument);
        }
      } catch (error) {
        set({ problem: error instanceof Error && !('status' in error) ? error.message : toProblem(error).detail });
      } finally {
        set({ measuring: null });
      }
    },
    stop: (): void => {
      stopping = true;
    },
    /** Forgets the runs of an experiment, so that it is measured again. */
    clear: (experiment: string): void => {
      anew.add(experiment);
      const rest = Object.entries(state.get().runs).filter(([key]) => !key.startsWith(`${experiment} `));
      set({ runs: Object.fromEntries(rest) });
    },
  };
}

export const experiments = createExperiments(
  {
    createRun: (document, fresh) =>
      'algorithm' in document ? startDecomposition(document, { fresh }) : createRun(document, fresh),
    getMeasuredPoints,
    getRun,
    cancelRun,
  },
  () => new Promise((resolve) => setTimeout(resolve, POLL_MS)),
);
export const useExperiments = (): ExperimentState => useExternal(experiments, (state) => state);
