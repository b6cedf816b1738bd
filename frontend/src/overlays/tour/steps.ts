/**
 * The guided tour: two minutes on the running example, a matrix of 4 × 6 with 7 nonzeros. One table; each step says
 * where to look, what to try, and how the page can tell that it was tried.
 */
import { commandsOf, DEFAULT_DRAFT } from '../../plan/plan';
import type { Draft } from '../../plan/plan';
import type { State } from '../../state/store';
import type { ViewState } from '../../state/view-state';

export interface TourStep {
  readonly title: string;
  readonly text: string;
  /** What of the page is framed while the step is shown. */
  readonly target: string;
  readonly view: Partial<ViewState>;
  /** What the person is asked to do; a step without one is only read. */
  readonly task?: string;
  readonly done?: (state: State) => boolean;
  /** The schedule that the page writes when asked to show how. */
  readonly schedule?: string;
}

export const TOUR_DRAFT: Draft = {
  ...DEFAULT_DRAFT,
  schedule: '',
  inputs: { A: { dataset: 'example' } },
};

const SPLIT = 'split(i, i0, i1, 2)';
const PARALLEL = `${SPLIT}\nparallelize(i0, CPUThread, NoRaces)`;
const RACE = `${SPLIT}\nparallelize(j, CPUThread, NoRaces)`;
const POSITIONS = 'fuse(i, j, f)\npos(f, p, A)\nsplit(p, p0, p1, 3)\nparallelize(p0, CPUThread, Atomics)';

const compiled = ({ compile }: State): boolean => compile.phase === 'done' && compile.result?.ok === true;
const writes = (command: RegExp) => (state: State) => compiled(state) && command.test(state.draft.schedule);
const named = (schedule: string): string => commandsOf(schedule).join('\n');
const OF_THE_TOUR = ['', SPLIT, PARALLEL, RACE, POSITIONS].map(named);

/** True for a schedule that compiles and that the tour itself did not write. */
export function isOwnSchedule(schedule: string): boolean {
  return !OF_THE_TOUR.includes(named(schedule));
}

export const TOUR_STEPS: readonly TourStep[] = [
  {
    title: 'New here?',
    text: 'Two minutes on a matrix of 4 rows show what a schedule does to a sparse kernel. You end with one of your own, running.',
    target: '.main',
    view: {},
  },
  {
    title: 'Only the nonzeros are stored',
    text: 'y(i) = A(i,j) * x(j) multiplies a matrix by a vector. A has 7 nonzeros, and row 1 is empty. The format csr keeps an offset for each row (pos), the columns (crd) and the values. Point at a value: the tree, the arrays and the grid show the same one.',
    target: '.pane-understand',
    view: { understand: 'storage', storage: 'A', front: 'understand', maximised: null, present: false },
  },
  {
    title: 'Loops come from the expression and the format',
    text: 'The iteration graph has one node for each loop; the path through it is the tensor A. The code on its right has one loop for each node. Point at j: every place that is j lights up.',
    target: '.pane-understand',
    view: { understand: 'graphs', front: 'understand' },
  },
  {
    title: 'The first command',
    text: 'A schedule rewrites the loops and never the result. The provenance graph shows where new variables come from.',
    task: 'Write split(i, i0, i1, 2) into the schedule: pairs of rows.',
    target: '.pane-define .part-grow',
    view: { schedule: 'text', front: 'define', understand: 'graphs' },
    done: writes(/split\(\s*i\s*,/),
    schedule: SPLIT,
  },
  {
    title: 'Rows in parallel',
    text: 'One thread for each pair of rows. The tab Space, view Workers, counts what each does: 2 nonzeros for one, 5 for the other.',
    task: 'Add parallelize(i0, CPUThread, NoRaces).',
    target: '.pane-define .part-grow',
    view: { schedule: 'text', front: 'define', understand: 'space', space: 'workers' },
    done: writes(/parallelize\(\s*i0\s*,/),
    schedule: PARALLEL,
  },
  {
    title: 'A wrong schedule is refused',
    text: 'Columns in parallel would let two threads add into the same y(i). Heddle says so, names the evidence and offers repairs; it never computes a wrong result.',
    task: 'Parallelize j instead, with NoRaces, and read the message.',
    target: '.pane-define .part-grow',
    view: { schedule: 'text', front: 'define' },
    done: ({ compile, draft }) =>
      compile.phase === 'done' && compile.result?.ok === false && /parallelize\(\s*j\s*,/.test(draft.schedule),
    schedule: RACE,
  },
  {
    title: 'Equal shares of the nonzeros',
    text: 'fuse and pos make one loop over the stored values, and split cuts it into tiles of 3, 3 and 1. A row may now be shared by two threads, so its sum is added atomically. The view Cuts draws the tiles.',
    task: 'Let the page write the four commands, or write them yourself.',
    target: '.pane-define .part-grow',
    view: { schedule: 'text', front: 'define', understand: 'space', space: 'cuts' },
    done: writes(/pos\(/),
    schedule: POSITIONS,
  },
  {
    title: 'Your own schedule',
    text: 'Change the size of a tile, the format of A, or anything else. What you write is checked as you type.',
    task: 'Make the schedule your own, until it compiles.',
    target: '.pane-define .part-grow',
    view: { schedule: 'text', front: 'define' },
    done: (state) => compiled(state) && isOwnSchedule(state.draft.schedule),
  },
  {
    title: 'Run it',
    text: 'Run builds the kernel, checks its result against a reference, and times it beside SciPy and MKL. On 7 nonzeros all you see is the cost of a call: choose bcsstk13 as the input of A for a real comparison.',
    task: 'Press Run.',
    target: '.pane-run',
    view: { front: 'run' },
    done: ({ run }) => run.view?.state === 'done',
  },
];
