import { useSelect, useStore } from '../state/store';
import { PANE_TITLES } from '../state/view-state';
import type { Pane } from '../state/view-state';

const SHOWN: readonly Pane[] = ['understand', 'code', 'run'];

/** In a presentation, where a pane is all of the page: the ways to the others and out. */
export function Presenting({ name }: { readonly name: Pane }) {
  const store = useStore();
  if (!useSelect((state) => state.view.present)) return null;
  return (
    <>
      <h1 className="visually-hidden">Heddle: {PANE_TITLES[name]}</h1>
      <span className="presenting">
        {SHOWN.filter((pane) => pane !== name).map((pane) => (
          <button key={pane} type="button" className="button quiet" onClick={() => store.look({ front: pane })}>
            {PANE_TITLES[pane]}
          </button>
        ))}
        <button
          type="button"
          className="button quiet"
          aria-label="Leave presentation"
          data-tip="Leave presentation (Alt+P)"
          onClick={() => store.look({ present: false })}
        >
          ✕
        </button>
      </span>
    </>
  );
}
