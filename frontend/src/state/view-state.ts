/** Which pane and tab is open: small enumerations, part of every link; never a layout library's blob. */

export const PANES = ['define', 'understand', 'code', 'run'] as const;

export type Pane = (typeof PANES)[number];

export const PANE_TITLES: Readonly<Record<Pane, string>> = {
  define: 'Define',
  understand: 'Understand',
  code: 'Code',
  run: 'Run',
};

/** How the schedule is edited. */
export const SCHEDULE_FORMS = ['text', 'rows'] as const;

export type ScheduleForm = (typeof SCHEDULE_FORMS)[number];

/** What the panel of the iteration space shows. */
export const SPACE_VIEWS = ['order', 'compare', 'cuts', 'workers', 'writes'] as const;

export type SpaceView = (typeof SPACE_VIEWS)[number];

export interface ViewState {
  /** Large type and two panes, for a projector. */
  readonly present: boolean;
  readonly schedule: ScheduleForm;
  /** Whether "What may come next" is open. */
  readonly next: boolean;
  /** Whether the form of a run is open while nothing was run. */
  readonly inputs: boolean;
  /** The ids of the tabs in front, of panes/tabs.ts. */
  readonly understand: string;
  readonly code: string;
  readonly space: SpaceView;
  readonly compare: string;
  /** Whether all counts of "Why fast?" are open below its picture. */
  readonly counts: boolean;
  /** The tensor whose storage is shown; empty lets the page choose. */
  readonly storage: string;
  readonly run: string;
  /** The pane that fills the page, or null for all of them. */
  readonly maximised: Pane | null;
  /** The pane in front where there is room for one only (phones) or for Define and one more. */
  readonly front: Pane;
}

export const DEFAULT_VIEW: ViewState = {
  present: false,
  schedule: 'text',
  next: false,
  inputs: false,
  understand: 'graphs',
  code: 'target',
  space: 'order',
  compare: 'summary',
  counts: false,
  storage: '',
  run: 'result',
  maximised: null,
  front: 'define',
};

/** What differs from the default, for the URL. */
export function viewChanges(view: ViewState): Partial<ViewState> {
  const entries = Object.entries(view).filter(([key, value]) => DEFAULT_VIEW[key as keyof ViewState] !== value);
  return Object.fromEntries(entries);
}

/** The view of a URL; what this version does not know falls back to the default, since a view is never worth an error. */
export function readView(value: unknown): ViewState {
  const found = value !== null && typeof value === 'object' ? (value as Record<string, unknown>) : {};
  return {
    present: found.present === true,
    schedule: oneOf(SCHEDULE_FORMS, found.schedule) ?? DEFAULT_VIEW.schedule,
    next: found.next === true,
    inputs: found.inputs === true,
    understand: tabId(found.understand) ?? DEFAULT_VIEW.understand,
    code: tabId(found.code) ?? DEFAULT_VIEW.code,
    space: oneOf(SPACE_VIEWS, found.space) ?? DEFAULT_VIEW.space,
    compare: tabId(found.compare) ?? DEFAULT_VIEW.compare,
    counts: found.counts === true,
    storage: typeof found.storage === 'string' && /^\w{1,64}$/.test(found.storage) ? found.storage : '',
    run: tabId(found.run) ?? DEFAULT_VIEW.run,
    maximised: oneOf(PANES, found.maximised) ?? null,
    front: oneOf(PANES, found.front) ?? DEFAULT_VIEW.front,
  };
}

/** Which tabs there are is known above (panes/tabs.ts); a pane shows its first one for an id that it does not have. */
function tabId(value: unknown): string | undefined {
  return typeof value === 'string' && /^[a-z][a-z-]{0,31}$/.test(value) ? value : undefined;
}

function oneOf<T extends string>(choices: readonly T[], value: unknown): T | undefined {
  return choices.find((choice) => choice === value);
}
