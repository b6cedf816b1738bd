/** The one wrapper around the API: JSON in and out, typed problems. Who answers, the transport knows. */
import type {
  BridgeView,
  AccessView,
  AlgorithmDocument,
  AlgorithmView,
  AssemblyView,
  CatalogueView,
  CompileView,
  CompositionRequest,
  CompositionView,
  DatasetView,
  DecompositionLinkView,
  DecompositionView,
  DownloadView,
  ExampleView,
  ExplanationRequest,
  ExplanationView,
  ExperimentView,
  ExportKind,
  ExportView,
  ImportView,
  LegalView,
  LessonSummary,
  LessonView,
  TaskResultView,
  LinkCreated,
  LinkView,
  MethodView,
  PreviewRequest,
  PreviewView,
  OccupancyView,
  FusionView,
  Operands,
  RunsVerdict,
  RunView,
  ScoreView,
  StorageRequest,
  StorageView,
  SuggestionMachineView,
  SuggestionView,
  TilesRequest,
  TextView,
  TilesView,
  TraceView,
  WorkerView,
  WhatIfView,
  KnownView,
  LookupView,
  SearchRequest,
  SearchView,
} from './types';
import type { PlanDocument } from '../plan/plan';
import { codeEntered } from './access';
import { ApiError, problemOf } from './problem';
import { transport } from './transport/page-transport';
import { BASE } from './transport/http';
import type { Method } from './transport/transport';

export { ApiError, isAbort, mayComeLater, OfflineError, RETRY_MS, TimeoutError, toProblem } from './problem';

interface Options {
  readonly method?: Method;
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
  /** The key of a class's teacher, or of a student. */
  readonly key?: string;
}

export async function request<T>(path: string, options: Options = {}): Promise<T> {
  const text = await requestText(path, options);
  try {
    return JSON.parse(text) as T;
  } catch {
    throw new ApiError(problemOf(502, ''));
  }
}

/** The body of the answer as it is. */
export async function requestText(path: string, options: Options = {}): Promise<string> {
  try {
    return await send(path, options);
  } catch (error) {
    if (!(error instanceof ApiError) || !(await codeEntered(error.problem))) throw error;
    return send(path, options);
  }
}

async function send(path: string, { method = 'GET', body, signal, key }: Options): Promise<string> {
  const { status, text } = await transport.request(method, path, body, signal, key);
  if (status < 200 || status > 299) throw new ApiError(problemOf(status, text));
  return text;
}

const segment = encodeURIComponent;

export const compile = (plan: PlanDocument, signal?: AbortSignal): Promise<CompileView> =>
  request('/compile', { method: 'POST', body: plan, signal });

export const getLessons = (signal?: AbortSignal): Promise<readonly LessonSummary[]> => request('/lessons', { signal });

export const getLesson = (id: string, seed: number, signal?: AbortSignal): Promise<LessonView> =>
  request(`/lessons/${segment(id)}?seed=${String(seed)}`, { signal });

/** What became of a plan in a task; `run` names a finished run of it, for medals. */
export const checkTask = (
  lesson: string,
  task: string,
  submission: {
    readonly plan: PlanDocument;
    readonly answers: Readonly<Record<string, string>>;
    readonly seed: number;
    readonly run: string | null;
  },
): Promise<TaskResultView> =>
  request(`/lessons/${segment(lesson)}/tasks/${segment(task)}/check`, {
    method: 'POST',
    body: submission,
  });

/** What schedule command may come next, and why others may not. */
export const getLegal = (plan: PlanDocument, signal?: AbortSignal): Promise<LegalView> =>
  request('/legal', { method: 'POST', body: plan, signal });

/** The same of one command, from candidate `start` on: what an answer had no room for. */
export const getMoreLegal = (plan: PlanDocument, command: string, start: number): Promise<LegalView> =>
  request(`/legal?command=${segment(command)}&start=${String(start)}`, { method: 'POST', body: plan });

/** The text of a stage from a 0-based line on: what the answer to a compile had no room for. */
export const getMoreText = (plan: PlanDocument, stage: string, line: number): Promise<TextView> =>
  request(`/compile/text?stage=${segment(stage)}&line=${String(line)}`, { method: 'POST', body: plan });

/** The plan in the other language, where it means the same, with the steps of the derivation. */
export const getBridge = (plan: PlanDocument, signal?: AbortSignal): Promise<BridgeView> =>
  request('/bridge', { method: 'POST', body: plan, signal });

/** The launches of a GPU plan before and after its parts were put into one. */
export const getFusion = (plan: unknown, signal?: AbortSignal): Promise<FusionView> =>
  request('/fusion', { method: 'POST', body: plan, signal });

/** Why a plan is fast or slow beside another, both counted on the same small data. */
export const getExplanation = (asked: ExplanationRequest, signal?: AbortSignal): Promise<ExplanationView> =>
  request('/explanations', { method: 'POST', body: asked, signal });

/** The machine code of a CPU plan's kernel on the service's machine. */
export const getAssembly = (plan: unknown, signal?: AbortSignal): Promise<AssemblyView> =>
  request('/assembly', { method: 'POST', body: plan, signal });

/** Registers and occupancy of a GPU plan's kernels; no GPU is needed. */
export const getOccupancy = (plan: unknown, signal?: AbortSignal): Promise<OccupancyView> =>
  request('/occupancy', { method: 'POST', body: plan, signal });

/** The plan in a text from elsewhere, and what of the text it does not hold; `plan` is the one that is open. */
export const readText = (text: string, plan: PlanDocument, signal?: AbortSignal): Promise<ImportView> =>
  request('/imports', { method: 'POST', body: { text, plan }, signal });

/** A schedule by rules, from the formats and the rows of the inputs, with reasons; null chooses for the usual machine. */
export const suggest = (plan: PlanDocument, machine: string | null, signal?: AbortSignal): Promise<SuggestionView> =>
  request(machine === null ? '/suggest' : `/suggest?machine=${segment(machine)}`, {
    method: 'POST',
    body: plan,
    signal,
  });

/** The machines that a schedule can be chosen for, the usual one first. */
export const getSuggestionMachines = (): Promise<SuggestionMachineView[]> => request('/suggest/machines');

/** A search for a faster schedule; followed and cancelled as a run. */
export const startSearch = (body: SearchRequest): Promise<SearchView> => request('/searches', { method: 'POST', body });

export const getSearch = (id: string): Promise<SearchView> => request(`/searches/${encodeURIComponent(id)}`);

/** What searches found for the plan, in its own names. */
export const lookupTuned = (plan: PlanDocument, signal?: AbortSignal): Promise<LookupView> =>
  request('/tuned/lookup', { method: 'POST', body: plan, signal });

export const listTuned = (signal?: AbortSignal): Promise<readonly KnownView[]> => request('/tuned', { signal });

/** One run of the kernel on small operands (nested lists by tensor), step by step. */
export const trace = (plan: PlanDocument, operands: Operands, signal?: AbortSignal): Promise<TraceView> =>
  request('/trace', { method: 'POST', body: { plan, operands }, signal });

export const getStorage = (asked: StorageRequest, signal?: AbortSignal): Promise<StorageView> =>
  request('/storage', { method: 'POST', body: asked, signal });

/** A tensor as a sum of parts. */
export const getComposition = (asked: CompositionRequest, signal?: AbortSignal): Promise<CompositionView> =>
  request('/composition', { method: 'POST', body: asked, signal });

/** Real data cut into tiles. */
export const cutIntoTiles = (tiles: TilesRequest, signal?: AbortSignal): Promise<TilesView> =>
  request('/tiles', { method: 'POST', body: tiles, signal });

/** The run without the guard in a 1-based line of the C text or of the loops. */
export const whatIf = (plan: unknown, line: number, text: 'c' | 'loops', operands: Operands): Promise<WhatIfView> =>
  request('/what-if', { method: 'POST', body: { plan, line, text, operands } });

/** The code of a class, which this browser then has. */
export const enterCode = (code: string): Promise<AccessView> => request('/access', { method: 'POST', body: { code } });

/** All that the page offers but the examples. */
export const getCatalogue = (): Promise<CatalogueView> => request('/catalogue');
export const getExamples = (): Promise<ExampleView[]> => request('/examples');
export const deleteDataset = (id: string): Promise<DatasetView> =>
  request(`/datasets/${segment(id)}`, { method: 'DELETE' });
/** The workers that are connected, with what each can run. */
export const getMachines = (signal?: AbortSignal): Promise<WorkerView[]> => request('/machines', { signal });

/** Where the nonzeros of an input lie, and how many each row has. */
export const getPreview = (asked: PreviewRequest, signal?: AbortSignal): Promise<PreviewView> =>
  request('/previews', { method: 'POST', body: asked, signal });
export const startDownload = (collection: string, name: string): Promise<DownloadView> =>
  request('/downloads', { method: 'POST', body: { collection, name } });
export const getDownload = (id: string): Promise<DownloadView> => request(`/downloads/${segment(id)}`);
export const cancelDownload = (id: string): Promise<DownloadView> =>
  request(`/downloads/${segment(id)}`, { method: 'DELETE' });

/** `fresh` measures again; otherwise a plan that the machine has measured is answered by that measurement. */
export const createRun = (plan: PlanDocument, fresh = false): Promise<RunView> =>
  request(fresh ? '/runs?fresh=true' : '/runs', { method: 'POST', body: plan });
/** The stored measurement of a plan on this machine, or null; nothing is queued. */
export const findMeasuredRun = (plan: PlanDocument, signal?: AbortSignal): Promise<RunView | null> =>
  request('/runs/measured', { method: 'POST', body: plan, signal });
export const getRun = (id: string): Promise<RunView> => request(`/runs/${segment(id)}`);
export const cancelRun = (id: string): Promise<RunView> => request(`/runs/${segment(id)}`, { method: 'DELETE' });
export const getFigure = (id: string, name: string, signal?: AbortSignal): Promise<PlotlyFigure> =>
  request(`/runs/${segment(id)}/figures/${segment(name)}`, { signal });
/** Which of two runs has the slower kernel, as far as they tell. */
export const getRunsVerdict = (runs: readonly [string, string], signal?: AbortSignal): Promise<RunsVerdict> =>
  request(`/comparisons/verdict?${runs.map((run) => `run=${segment(run)}`).join('&')}`, { signal });
export const getExperiments = (): Promise<ExperimentView[]> => request('/experiments');
/** For each point of an experiment, in order, its latest measurement on this machine, or null. */
export const getMeasuredPoints = (id: string): Promise<(RunView | DecompositionView | null)[]> =>
  request(`/experiments/${segment(id)}/runs`);
/** One figure over the runs of an experiment. */
export const getExperimentFigure = (id: string, runs: readonly string[], signal?: AbortSignal): Promise<PlotlyFigure> =>
  request(`/experiments/${segment(id)}/figure?${runs.map((run) => `run=${segment(run)}`).join('&')}`, { signal });

/** Runs of algorithms. */
export interface HowToStart {
  /** Runs what has been run already once more. */
  readonly fresh?: boolean;
  /** The run from whose end this one goes on. */
  readonly resume?: string;
}
export const startDecomposition = (
  document: AlgorithmDocument,
  { fresh = false, resume }: HowToStart,
): Promise<DecompositionView> => {
  const asked = [...(fresh ? ['fresh=true'] : []), ...(resume === undefined ? [] : [`resume=${segment(resume)}`])];
  return request(`/runs${asked.length > 0 ? '?' : ''}${asked.join('&')}`, { method: 'POST', body: document });
};
/** How each kernel of a decomposition will be computed, and what that is predicted to take; nothing runs. */
export const compileAlgorithm = (document: AlgorithmDocument, signal?: AbortSignal): Promise<AlgorithmView> =>
  request('/algorithms/compile', { method: 'POST', body: document, signal });
/** The ways to compute the product of a mode. */
export const getMethods = (): Promise<MethodView[]> => request('/methods');
export const getDecomposition = (id: string): Promise<DecompositionView> => request(`/runs/${segment(id)}`);
export const stopDecomposition = (id: string): Promise<DecompositionView> =>
  request(`/runs/${segment(id)}/stop`, { method: 'POST', body: {} });
export const cancelDecomposition = (id: string): Promise<DecompositionView> =>
  request(`/runs/${segment(id)}`, { method: 'DELETE' });
/** How alike the models of two runs are, 0 to 1. */
export const scoreModels = (id: string, other: string): Promise<ScoreView> =>
  request(`/runs/${segment(id)}/score?other=${segment(other)}`);
export const modelUrl = (id: string): string => `${BASE}/runs/${segment(id)}/model`;

/** What a decomposition found and how: document, sweeps, kernels and factors. */
export const reportUrl = (id: string): string => `${modelUrl(id)}?format=json`;
/** The figure over the measurement that comes with Heddle. */
export const getStoredFigure = (id: string, signal?: AbortSignal): Promise<PlotlyFigure> =>
  request(`/experiments/${segment(id)}/stored`, { signal });
export const runEventsUrl = (id: string): string => `${BASE}/runs/${segment(id)}/events`;

export const createLink = (plan: PlanDocument | AlgorithmDocument, runId: string | null): Promise<LinkCreated> =>
  request('/links', { method: 'POST', body: { plan, ...(runId === null ? {} : { run_id: runId }) } });
export const deleteLink = (id: string): Promise<LinkCreated> => request(`/links/${segment(id)}`, { method: 'DELETE' });
/** The plan in another form, as a whole file. */
export const exportPlan = (plan: PlanDocument, kind: ExportKind): Promise<ExportView> =>
  request('/exports', { method: 'POST', body: { plan, kind } });
export const getLink = (id: string): Promise<LinkView | DecompositionLinkView> => request(`/links/${segment(id)}`);

/** A Plotly figure as the service sends it. */
export interface PlotlyFigure {
  readonly data: readonly Record<string, unknown>[];
  readonly layout: Readonly<Record<string, unknown>>;
}
