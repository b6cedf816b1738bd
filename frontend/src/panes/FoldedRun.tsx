import type { RunResult } from '../api/types';
import { useLayout } from '../state/media';
import { hasRun, isCut, shownRun } from '../state/runs/run-state';
import { useSelect, useStore } from '../state/store';
import type { Store } from '../state/store';
import { DEFAULT_VIEW } from '../state/view-state';
import { timesInWords } from '../panels/run/result/in-words';
import { wordsOf } from '../panels/run/run-states';

const fold = (store: Store, folded: boolean): void => store.patch({ run: { ...store.get().run, folded } });

/** Whoever asks for a result wants to see it. */
export const unfold = (store: Store): void => {
  if (store.get().run.folded === true) fold(store, false);
};

/** Makes a strip of the Run pane, and a pane of the strip; not there while the strip has nothing to unfold. */
export function FoldButton({ strip }: { readonly strip: boolean }) {
  const store = useStore();
  const wide = useLayout() === 'wide';
  const maximised = useSelect(({ view }) => view.maximised === 'run');
  const asked = useSelect(({ view }) => view.run !== DEFAULT_VIEW.run);
  const ran = useSelect(({ run }) => hasRun(run));
  if (!wide || maximised || !(ran || asked)) return null;
  const title = strip ? 'Unfold the results' : 'Fold the results';
  return (
    <button
      type="button"
      className="icon-button"
      aria-expanded={!strip}
      aria-label={title}
      data-tip={title}
      onClick={() => fold(store, !strip)}
    >
      <svg viewBox="0 0 16 16" aria-hidden="true">
        <path d={strip ? 'M3.5 10L8 5.5L12.5 10' : 'M3.5 6L8 10.5L12.5 6'} />
      </svg>
    </button>
  );
}

/** The times and what follows from them. */
const inOneLine = ({ entries, conclusion }: RunResult): string =>
  [`${timesInWords(entries)}.`, conclusion?.headline ?? 'The run is done.'].filter((part) => part !== '.').join(' ');

/** What became of the run, in one line: the result is folded away. */
export function FoldedRun() {
  const store = useStore();
  const { view } = useSelect(({ run }) => run);
  const result = useSelect(({ run }) => shownRun(run)?.view.result ?? null);
  const headline = result === null ? null : inOneLine(result);
  const cut = useSelect(({ run }) => isCut(run));
  const without = cut ? 'Not connected.' : view !== null && !view.result ? wordsOf(view.state).title : null;
  return (
    <p className="panel-message folded-run" role="status">
      {without ?? headline ?? 'The results are folded away.'}{' '}
      <button type="button" className="link-button" onClick={() => unfold(store)}>
        Show the results
      </button>
    </p>
  );
}
