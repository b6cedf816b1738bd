/**
 * The guided tour: three minutes on the running example, a matrix of 4 × 6 with 7 nonzeros, and at the end a kernel on
 * a real matrix that wins. One table; each step says what is there, what to try, how the page can tell that it was
 * tried, and what is there then.
 */
import { canonicalJson, DEFAULT_DRAFT, toPlan } from '../../plan/plan';
import type { Draft, ExpressionLanguage } from '../../plan/plan';
import type { State } from '../../state/store';
import type { ViewState } from '../../state/view-state';
import { ranTheWinner, verdictOf } from './verdict';

export interface TourStep {
  readonly title: string;
  readonly text: string;
  /** In place of `text`, while the expression is in that language. */
  readonly inLanguage?: Partial<Readonly<Record<ExpressionLanguage, string>>>;
  /** What is there when the task is done, in place of `text`. */
  readonly after?: (state: State) => string;
  /** What of the page is framed while the step is shown. */
  readonly target: string;
  readonly view: Partial<ViewState>;
  /** What the person is asked to do; a step without one is only read. */
  readonly task?: string;
  readonly done?: (state: State) => boolean;
  /** The plan that the step ends with: the page makes it when asked to, and when the step is left without it. */
  readonly ends?: Draft;
  /** The plan that the step opens. */
  readonly opens?: Draft;
  /** What the page says it did when it opened the plan. */
  readonly opened?: string;
}

export const TOUR_DRAFT: Draft = {
  ...DEFAULT_DRAFT,
  schedule: '',
  inputs: { A: { dataset: 'example' } },
};

/** Sums only where B has a nonzero: libraries compute all of the product, whatever machine they run on. */
export const WINNER: Draft = {
  ...DEFAULT_DRAFT,
  expression: 'C(i,j) = B(i,j) * D(i,k) * E(j,k)',
  tensors: {
    B: { format: 'csr' },
    C: { format: 'csr' },
    D: { shape: [2003, 32] },
    E: { shape: [2003, 32] },
  },
  schedule: 'parallelize(k, CPUVector, ParallelReduction)',
  inputs: { B: { dataset: 'bcsstk13' } },
};

const withSchedule = (...commands: readonly string[]): Draft => ({ ...TOUR_DRAFT, schedule: commands.join('\n') });
const SPLIT = withSchedule('split(i, i0, i1, 2)');
const PARALLEL = withSchedule('split(i, i0, i1, 2)', 'parallelize(i0, CPUThread, NoRaces)');
const RACE = withSchedule('split(i, i0, i1, 2)', 'parallelize(j, CPUThread, NoRaces)');
const POSITIONS = withSchedule(
  'fuse(i, j, f)',
  'pos(f, p, A)',
  'split(p, p0, p1, 3)',
  'parallelize(p0, CPUThread, Atomics)',
);
const OF_THE_TOUR = [TOUR_DRAFT, SPLIT, PARALLEL, RACE, POSITIONS];

/** A plan without the spaces, of which a person may write more or fewer. */
const keyOf = (draft: Draft): string => canonicalJson(toPlan(draft)).replaceAll(/\s/g, '');
const isPlan = (draft: Draft, wanted: Draft): boolean => keyOf(draft) === keyOf(wanted);
const compiled = ({ compile }: State): boolean => compile.phase === 'done' && compile.result?.ok === true;
const refused = ({ compile }: State): boolean => compile.phase === 'done' && compile.result?.ok === false;
const has = (wanted: Draft) => (state: State) => compiled(state) && isPlan(state.draft, wanted);

/** True for a plan that the tour itself did not make: another schedule, another format, another matrix. */
export const isOwnPlan = (draft: Draft): boolean => !OF_THE_TOUR.some((one) => isPlan(draft, one));

const STORAGE: Partial<ViewState> = { understand: 'storage', storage: 'A', front: 'understand' };
const EDITOR = '.pane-define .part-grow';
const WRITE: Partial<ViewState> = { schedule: 'text', front: 'define' };

export const TOUR_STEPS: readonly TourStep[] = [
  {
    title: 'Welcome to Heddle',
    text: 'Heddle turns an expression such as `y(i) = A(i,j) * x(j)` into a fast kernel for sparse tensors. You choose how tensors are stored and in which order loops run, and see at once what that does to the loops, the memory and the time.',
    inLanguage: {
      patterns:
        'Heddle turns a program of patterns such as `map`, `zip` and `reduce` into a fast kernel. The types of its arrays say how sparse data lie in memory: the length of a row may be an element of another array. You choose the steps that rewrite the program, and see at once what that does to the loops, the addresses and the time. The tour is in index notation.',
      comprehension:
        'Heddle turns a tensor comprehension such as `C(i) +=! A(i,k) * x(k)` into a fast kernel. How far a variable runs follows from what it indexes. You choose how statements share loops and how these are tiled and run in parallel, and see at once what that does to the loops, the memory and the time. The tour is in index notation.',
    },
    target: '.main',
    view: {},
  },
  {
    title: 'Only the nonzeros are stored',
    text: '`y(i) = A(i,j) * x(j)` multiplies a matrix by a vector. A has 7 nonzeros, and row 1 is empty. The format `csr` keeps an offset for each row (pos), the columns (crd) and the values. Point at a value: the tree, the arrays and the grid show the same one.',
    target: '.pane-understand',
    view: { ...STORAGE, maximised: null, present: false },
    opens: TOUR_DRAFT,
    opened: 'The page opened a small matrix without a schedule. Undo brings back what was there.',
  },
  {
    title: 'Loops come from the expression and the format',
    text: 'The iteration graph has one node for each loop, i and j; the path through them is the tensor A. The code has one loop for each node. Point at j: every place that is j lights up.',
    target: '.pane-understand',
    view: { understand: 'graphs', front: 'understand' },
    opens: TOUR_DRAFT,
  },
  {
    title: 'The first command',
    text: 'A schedule rewrites the loops and never changes the result. There is none yet: the loops are i and j.',
    after: () =>
      'The loop i became two: i0 over pairs of rows, i1 over the rows of a pair. The provenance graph shows where they come from.',
    task: 'Write split(i, i0, i1, 2) into the schedule.',
    target: EDITOR,
    view: { ...WRITE, understand: 'graphs' },
    done: has(SPLIT),
    ends: SPLIT,
    opens: TOUR_DRAFT,
  },
  {
    title: 'Rows in parallel',
    text: 'One lane does all the work so far, as the Workers view shows. Give each pair of rows a thread of its own.',
    after: () =>
      'Each pair of rows has a thread. Workers counts what they do: 2 nonzeros for one, 5 for the other, and the first has to wait.',
    task: 'Add parallelize(i0, CPUThread, NoRaces).',
    target: EDITOR,
    view: { ...WRITE, understand: 'space', space: 'workers' },
    done: has(PARALLEL),
    ends: PARALLEL,
    opens: SPLIT,
  },
  {
    title: 'A wrong schedule is refused',
    text: 'With columns in parallel, two threads would add into the same y(i): a race. See how the page answers.',
    after: () =>
      'The command is refused: the message names the place and what to do, and buttons repair it. Heddle never computes a wrong result.',
    task: 'Replace i0 by j in the second command, and read the message.',
    target: EDITOR,
    view: { ...WRITE, understand: 'graphs' },
    done: (state) => refused(state) && isPlan(state.draft, RACE),
    ends: RACE,
    opens: PARALLEL,
  },
  {
    title: 'Equal shares of the nonzeros',
    text: 'Rows differ in length. Four commands share out the nonzeros instead: fuse and pos make one loop over the stored values, split cuts it into tiles of 3, and the tiles run in parallel.',
    after: () =>
      'One loop runs over the stored values, in tiles of 3, 3 and 1; the Cuts view draws them. Two tiles may share a row, so its sum is added atomically.',
    task: 'Press Write it for me, or write the four commands yourself.',
    target: EDITOR,
    view: { ...WRITE, understand: 'space', space: 'cuts' },
    done: has(POSITIONS),
    ends: POSITIONS,
    opens: RACE,
  },
  {
    title: 'Your own plan',
    text: 'Change the size of the tiles, the format of A, or anything else. What you write is checked as you type.',
    after: () => 'This plan is your own, and it compiles. The graphs and the code show it.',
    task: 'Make the plan your own, so that it compiles.',
    target: '.pane-define',
    view: WRITE,
    done: (state) => compiled(state) && isOwnPlan(state.draft),
    opens: POSITIONS,
  },
  {
    title: 'Run a kernel that wins',
    text: 'On 7 nonzeros a run would time little but the call. This is a real matrix, bcsstk13 with 83,883 nonzeros, and a product of D and E that is needed only where B has one of them. Run builds the kernel, checks its result against a reference, and times it beside SciPy.',
    after: verdictOf,
    task: 'Press Run.',
    target: '.pane-run',
    view: { front: 'run', run: 'result', understand: 'graphs' },
    done: ranTheWinner(WINNER),
    opens: WINNER,
    opened: 'The page opened another plan. Undo brings back yours.',
  },
];
