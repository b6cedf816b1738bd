/** The one store of the page. The plan changes only through {@link Store.update}, undo and redo. */
import { createContext, useContext } from 'react';
import type { CompileView, Problem, RunView } from '../api/types';
import { applyChange, mergeKey } from './plans/changes';
import type { Change } from './plans/changes';
import type { Comparison } from './plans/comparison';
import { createExternal, useExternal } from './external';
import { EMPTY_HISTORY, record, redo, undo } from './plans/history';
import type { History, Step } from './plans/history';
import { createLegal } from './editing/legal';
import { DEFAULT_DRAFT } from '../plan/plan';
import type { Draft, PlanDocument } from '../plan/plan';
import { settled } from '../plan/set-aside';
import { createPlayback } from './playback';
import type { Shown } from './shown';
import { DEFAULT_VIEW } from './view-state';
import type { ViewState } from './view-state';
import { createWriting } from './editing/writing';

export type CompilePhase = 'waiting' | 'compiling' | 'done' | 'offline' | 'failed';

export interface CompileState {
  readonly phase: CompilePhase;
  /** The latest answer: its diagnostics and commands belong to the text in the editors. */
  readonly result: CompileView | null;
  /** What the panels draw: the latest answer, filled up from the one before where it has no picture. */
  readonly shown: Shown | null;
  readonly problem: Problem | null;
}

export interface RunState {
  readonly phase: 'idle' | 'submitting' | 'watching' | 'ended';
  readonly view: RunView | null;
  /** The plan as it was sent: the service may spell the same plan in another way. */
  readonly plan: PlanDocument | null;
  readonly problem: Problem | null;
  /** True when the result came with a link and was not measured in this visit. */
  readonly stored: boolean;
  /** The last run with a result, for as long as this one has none: it stays on the screen. */
  readonly earlier?: EarlierRun | null;
  /** The person folded the result away, so that the pictures get the space. */
  readonly folded?: boolean;
}

export interface EarlierRun {
  readonly view: RunView;
  readonly plan: PlanDocument;
  readonly stored: boolean;
}

export interface State {
  readonly draft: Draft;
  readonly history: History;
  readonly view: ViewState;
  readonly compile: CompileState;
  readonly run: RunState;
  /** The plan next to which this one is shown, or null. */
  readonly comparison: Comparison | null;
  /** The short link of exactly this draft, once there is one. */
  readonly link: { readonly id: string; readonly draft: Draft } | null;
  /** The dialog above the page, or null. */
  readonly overlay:
    'palette' | 'examples' | 'history' | 'import' | 'keys' | 'guide' | 'glossary' | 'lessons' | 'class' | null;
  /** The plan that was opened last (an example, a result), for which the browser's Back has a step of its own. */
  readonly opened: Draft | null;
  /** The step of the guided tour that is shown, or null. */
  readonly tour: number | null;
  /** The id of the lesson beside the panes, or null. */
  readonly lesson: string | null;
  /** One sentence for the person about the link that was opened, or null. */
  readonly notice: string | null;
}

export const INITIAL_STATE: State = {
  draft: DEFAULT_DRAFT,
  history: EMPTY_HISTORY,
  view: DEFAULT_VIEW,
  compile: { phase: 'waiting', result: null, shown: null, problem: null },
  run: { phase: 'idle', view: null, plan: null, problem: null, stored: false },
  comparison: null,
  link: null,
  overlay: null,
  opened: null,
  tour: null,
  lesson: null,
  notice: null,
};

export function createStore(initial: State = INITIAL_STATE, now: () => number = () => performance.now()) {
  const external = createExternal(initial);
  const patch = (part: Partial<Omit<State, 'draft' | 'history'>>): void => external.set({ ...external.get(), ...part });
  const pasted = createExternal('');
  const step = (next: Step | null): void => {
    if (next !== null) external.set({ ...external.get(), draft: next.draft, history: next.history });
  };
  return {
    ...external,
    /** The traced run that the panels follow, with its own listeners. */
    playback: createPlayback(),
    /** What command may come next, with its own listeners. */
    legal: createLegal(),
    /** A text of another program that was pasted, for the dialog that reads it. */
    pasted,
    /** The command that is being written, with its own listeners. */
    writing: createWriting(),
    /** The gateway: the only way in which the plan changes. */
    update: (change: Change): void => {
      const state = external.get();
      const draft = applyChange(state.draft, change);
      if (JSON.stringify(draft) === JSON.stringify(state.draft)) return;
      const history = record(state.history, state.draft, mergeKey(change), now());
      // A notice is about the plan that was opened, not about this one.
      const opened = change.kind === 'open' ? draft : state.opened;
      external.set({ ...state, draft, history, opened, notice: null });
    },
    undo: (): void => step(undo(external.get().history, external.get().draft)),
    /** Goes to a place of the history: 0 is its oldest state. */
    goTo: (place: number): void => {
      while (external.get().history.past.length > place) step(undo(external.get().history, external.get().draft));
      while (external.get().history.past.length < place && external.get().history.future.length > 0) {
        step(redo(external.get().history, external.get().draft));
      }
    },
    redo: (): void => step(redo(external.get().history, external.get().draft)),
    /** Opens the dialog that reads a plan out of a text of another program. */
    openImport: (text = ''): void => {
      pasted.set(text);
      patch({ overlay: 'import' });
    },
    /** Sets what is not the plan. */
    patch,
    look: (view: Partial<ViewState>): void => {
      // A panel that the comparison hides was asked for: whoever asks wants to see it.
      const leaves = 'understand' in view || 'code' in view || 'run' in view;
      patch({ view: { ...external.get().view, ...view }, ...(leaves ? { comparison: null } : {}) });
    },
    /** Takes up the steps of an earlier visit: `drafts` in their order, that at `place` on the page. */
    resume: (drafts: readonly Draft[], place: number): void => {
      const draft = drafts[place];
      if (draft === undefined) return;
      const history = { ...EMPTY_HISTORY, past: drafts.slice(0, place), future: drafts.slice(place + 1) };
      external.set({ ...external.get(), draft, history });
    },
    /** Opens a state from outside (a link, the address bar) without a step of undo. */
    restore: (draft: Draft, part: Partial<Omit<State, 'draft' | 'history'>> = {}): void =>
      external.set({ ...external.get(), ...part, draft: settled(draft), history: EMPTY_HISTORY }),
  };
}

export type Store = ReturnType<typeof createStore>;

const StoreContext = createContext<Store | null>(null);
export const StoreProvider = StoreContext.Provider;

export function useStore(): Store {
  const store = useContext(StoreContext);
  if (store === null) throw new Error('useStore needs a StoreProvider above it');
  return store;
}

/** A part of the state; `select` must return a part itself, not a new object. */
export function useSelect<Part>(select: (state: State) => Part): Part {
  return useExternal(useStore(), select);
}
