/**
 * The one table of the page's tabs: a new panel is a file under panels/ and a row here. Panes and palette list what
 * stands here, and the address holds ids, so that an id, once released, stays.
 */
import type { ComponentType } from 'react';
import type { CompileView } from '../api/types';
import { textsOf } from '../components/code/code-texts';
import type { ExpressionLanguage } from '../plan/plan';
import CodePanel from '../panels/code/CodePanel';
import ReorderableGraph from '../panels/graph/ReorderableGraph';
import LiveProvenance from '../panels/provenance/LiveProvenance';
import { RunOutcome } from '../panels/run/RunOutcome';
import type { Side } from './compare/use-sides';
import { CODE_LANGUAGES, DEFAULT_TARGET } from '../plan/targets';
import type { CodeLanguage, Target } from '../plan/targets';
import { lazyFile } from '../components/loading/lazy-file';

interface Tab {
  readonly id: string;
  readonly title: string;
  /** What the palette offers to show; null for what it does not offer. */
  readonly name: string | null;
  /** Not for the first view: what it is, as *More* says beside its title. */
  readonly aside?: string;
}

/** What a panel draws; `tab` is the id of the tab, for panels that serve several. */
export interface PanelProps {
  readonly result: CompileView;
  readonly tab: string;
}

export interface TabPanel {
  /** As a message says that it could not be drawn. */
  readonly name: string;
  readonly Panel: ComponentType<PanelProps>;
}

/** A tab that draws a compiled plan. */
export interface ResultTab extends Tab {
  /** More than one stand next to each other. */
  readonly panels: readonly TabPanel[];
  readonly arrangement?: 'pair' | 'alone';
  /**
   * The title over this result, null where it has nothing for the tab; without it, always `title`. Before there is a
   * result, the title that a plan for `target` will most likely have.
   */
  readonly titleOver?: (result: CompileView | null, target: Target) => string | null;
  /** The language of the texts that it is for; without it, all are. */
  readonly onlyIn?: ExpressionLanguage;
  /** Needs a disassembler where kernels are compiled. */
  readonly needsAssembly?: true;
  /** The panel finds the latest answer itself: what it draws is never older than the text. */
  readonly asksItself?: true;
  /** What it draws of a program without statements, where that is not what `panels` draw; null for nothing. */
  readonly withoutStatements?: TabPanel | null;
}

export interface RunTab extends Tab {
  readonly Panel: ComponentType;
}

export interface CompareTab extends Tab {
  readonly Panel: ComponentType<{ readonly left: Side; readonly right: Side }>;
}

// The first view shows these: they come with the page.
const ITERATION: TabPanel = { name: 'The iteration graph', Panel: ReorderableGraph };
const PROVENANCE: TabPanel = { name: 'The provenance graph', Panel: LiveProvenance };
const CODE: TabPanel = { name: 'The code', Panel: CodePanel };

const SPACE: TabPanel = { name: 'The iteration space', Panel: lazyFile(() => import('../panels/space/SpacePanel')) };
const LATTICE: TabPanel = {
  name: 'The merge lattice',
  Panel: lazyFile(() => import('../panels/lattice/LatticePanel')),
};
const STORAGE: TabPanel = {
  name: 'The storage picture',
  Panel: lazyFile(() => import('../panels/storage/StoragePanel')),
};
const COMPOSITION: TabPanel = {
  name: 'The composition',
  Panel: lazyFile(() => import('../panels/composition/CompositionPanel')),
};
const AXES: TabPanel = { name: 'The axes', Panel: lazyFile(() => import('../panels/axes/AxesPanel')) };
const RANGES: TabPanel = { name: 'The ranges', Panel: lazyFile(() => import('../panels/ranges/RangesPanel')) };
const MEMORY: TabPanel = {
  name: 'The types as memory',
  Panel: lazyFile(() => import('../panels/memory/MemoryPanel')),
};
const PATTERNS: TabPanel = {
  name: 'The pattern tree',
  Panel: lazyFile(() => import('../panels/patterns/PatternTree')),
};
const ACCOUNT: TabPanel = {
  name: 'The account',
  Panel: lazyFile(() => import('../panels/account/AccountPanel')),
};
const TREE: TabPanel = { name: 'The schedule tree', Panel: lazyFile(() => import('../panels/tree/ScheduleTreePanel')) };
const LOWERING: TabPanel = {
  name: 'The three stages',
  Panel: lazyFile(() => import('../panels/lowering/LoweringPanel')),
};
const FILMSTRIP: TabPanel = {
  name: 'The filmstrip',
  Panel: lazyFile(() => import('../panels/filmstrip/FilmstripPanel')),
};
const ASSEMBLY: TabPanel = {
  name: 'The machine code',
  Panel: lazyFile(() => import('../panels/assembly/AssemblyPanel')),
};
const STAGES: TabPanel = { name: 'The stages', Panel: lazyFile(() => import('../panels/stages/StagesPanel')) };

/** What the schedule does: the iteration graph next to the provenance graph first, since they are read together. */
const DRAWN: readonly ResultTab[] = [
  {
    id: 'graphs',
    title: 'Graphs',
    name: 'Graphs',
    panels: [ITERATION, PROVENANCE],
    arrangement: 'pair',
    withoutStatements: PATTERNS,
  },
  {
    id: 'iteration',
    title: 'Iteration',
    name: 'Iteration graph',
    panels: [ITERATION],
    arrangement: 'alone',
    aside: 'The iteration graph alone',
  },
  {
    id: 'provenance',
    title: 'Provenance',
    name: 'Provenance graph',
    panels: [PROVENANCE],
    arrangement: 'alone',
    aside: 'The provenance graph alone',
  },
  { id: 'space', title: 'Space', name: 'Space', panels: [SPACE] },
  {
    id: 'lattice',
    title: 'Lattice',
    name: 'Lattice',
    panels: [LATTICE],
    aside: 'How sorted lists of coordinates are merged',
  },
  { id: 'storage', title: 'Storage', name: 'Storage', panels: [STORAGE], asksItself: true },
  {
    id: 'composition',
    title: 'Composition',
    name: 'Composition',
    panels: [COMPOSITION],
    asksItself: true,
    aside: 'A tensor as a sum of parts',
  },
  { id: 'axes', title: 'Axes', name: 'Axes', panels: [AXES], aside: 'Every tensor as a tree of axes' },
  {
    id: 'ranges',
    title: 'Ranges',
    name: 'Ranges',
    panels: [RANGES],
    onlyIn: 'comprehension',
    asksItself: true,
  },
  { id: 'patterns', title: 'Pattern tree', name: 'Pattern tree', panels: [PATTERNS], onlyIn: 'patterns' },
  { id: 'memory', title: 'Types as memory', name: 'Types as memory', panels: [MEMORY], onlyIn: 'patterns' },
  { id: 'account', title: 'Why fast?', name: 'Why is it fast?', panels: [ACCOUNT] },
  { id: 'tree', title: 'Schedule tree', name: 'Schedule tree', panels: [TREE], onlyIn: 'comprehension' },
  { id: 'filmstrip', title: 'Filmstrip', name: 'Filmstrip', panels: [FILMSTRIP] },
];

export const UNDERSTAND_TABS = DRAWN.map((tab): ResultTab =>
  tab.onlyIn === 'patterns' || tab.withoutStatements !== undefined ? tab : { ...tab, withoutStatements: null },
);

const titleOfText = (result: CompileView, id: string): string | null =>
  textsOf(result).find((text) => text.id === id)?.title ?? null;

const languageOf = (target: Target): CodeLanguage => (target === 'interpreter' ? 'c' : target);

/** Whether the kernel is C that is compiled: that of the interpreter is only shown. */
const isCompiled = (result: CompileView): boolean =>
  result.code?.language === 'c' && (result.plan['target'] ?? DEFAULT_TARGET) === 'c';

/** What comes out: the generated code, and every stage on the way to it. */
export const CODE_TABS: readonly ResultTab[] = [
  {
    id: 'target',
    title: 'Code',
    name: 'Generated code',
    panels: [CODE],
    titleOver: (result, target) =>
      result === null ? CODE_LANGUAGES[languageOf(target)].title : (titleOfText(result, 'target') ?? 'Code'),
  },
  {
    id: 'structured',
    title: 'Loops, structured',
    name: 'Loops, structured',
    panels: [CODE],
    titleOver: (result) => (result === null ? 'Loops, structured' : titleOfText(result, 'structured')),
  },
  {
    id: 'flat',
    title: 'Loops, flat',
    aside: 'Arrays and loops, without tensors',
    name: 'Loops, flat',
    panels: [CODE],
    titleOver: (result) => (result === null ? 'Loops, flat' : titleOfText(result, 'flat')),
  },
  {
    id: 'assembly',
    title: 'Assembly',
    name: 'Assembly',
    panels: [ASSEMBLY],
    needsAssembly: true,
    titleOver: (result, target) => ((result === null ? target === 'c' : isCompiled(result)) ? 'Assembly' : null),
    withoutStatements: null,
  },
  { id: 'stages', title: 'Stages', name: 'Stages', panels: [STAGES] },
  {
    id: 'three-stages',
    title: 'Three stages',
    aside: 'Coordinates, positions and flat arrays side by side',
    name: 'Three stages',
    panels: [LOWERING],
    withoutStatements: null,
  },
];

/** What draws a program without statements. */
export const OF_PATTERNS: readonly {
  readonly pane: 'understand' | 'code';
  readonly id: string;
  readonly name: string;
}[] = [
  { pane: 'understand', id: 'patterns', name: 'Pattern tree' },
  { pane: 'understand', id: 'memory', name: 'Types as memory' },
  { pane: 'code', id: 'structured', name: 'Loops, structured' },
  { pane: 'code', id: 'stages', name: 'Stages' },
];

/** What the Run pane shows next to the inputs: this run, all that were measured, or a guided experiment. */
export const RUN_TABS: readonly RunTab[] = [
  { id: 'result', title: 'This run', name: null, Panel: RunOutcome },
  {
    id: 'results',
    title: 'All results',
    name: 'all results',
    Panel: lazyFile(() => import('../panels/results/ResultsPanel')),
  },
  {
    id: 'tuner',
    title: 'Tuner',
    aside: 'Searches for a fast schedule',
    name: 'the tuner',
    Panel: lazyFile(() => import('../panels/tuner/TunerPanel')),
  },
  {
    id: 'cache',
    title: 'Cache',
    aside: 'What searches have found',
    name: 'the cache of schedules',
    Panel: lazyFile(() => import('../panels/cache/CachePanel')),
  },
  {
    id: 'experiments',
    title: 'Experiments',
    name: 'the experiments',
    Panel: lazyFile(() => import('../panels/experiments/ExperimentsPanel')),
  },
];

/** What of two plans is set side by side. */
export const COMPARE_TABS: readonly CompareTab[] = [
  { id: 'summary', title: 'Differences', name: null, Panel: lazyFile(() => import('./compare/Summary')) },
  { id: 'graphs', title: 'Graphs', name: null, Panel: lazyFile(() => import('./compare/GraphsComparison')) },
  { id: 'code', title: 'Code', name: null, Panel: lazyFile(() => import('./compare/CodeComparison')) },
];

/** The tab of this id, the first one where none has it: links hold what other versions of the page had. */
export function chosenTab<Row extends Tab>(tabs: readonly Row[], id: string): Row {
  const tab = tabs.find((row) => row.id === id) ?? tabs[0];
  if (tab === undefined) throw new Error('a pane without tabs');
  return tab;
}
