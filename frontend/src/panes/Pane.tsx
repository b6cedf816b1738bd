import type { ReactNode } from 'react';
import { useSelect, useStore } from '../state/store';
import { PANE_TITLES } from '../state/view-state';
import type { Pane as PaneName } from '../state/view-state';

interface Props {
  readonly name: PaneName;
  readonly children: ReactNode;
}

/** One named region of the page. */
export function Pane({ name, children }: Props) {
  const title = PANE_TITLES[name];
  return (
    <section className={`pane pane-${name}`} aria-label={title}>
      <h2 className="visually-hidden">{title}</h2>
      {children}
    </section>
  );
}

export function MaximiseButton({ name }: { readonly name: PaneName }) {
  const title = PANE_TITLES[name];
  const store = useStore();
  const maximised = useSelect((state) => state.view.maximised === name);
  return (
    <button
      type="button"
      className="icon-button maximise"
      aria-pressed={maximised}
      aria-label={`Maximise ${title}`}
      data-tip={maximised ? 'Show all panes' : `Maximise ${title}`}
      onClick={() => store.look({ maximised: maximised ? null : name })}
    >
      <svg viewBox="0 0 16 16" aria-hidden="true">
        {maximised ? (
          <path d="M6 2v4H2M10 2v4h4M6 14v-4H2M10 14v-4h4" />
        ) : (
          <path d="M2 6V2h4M14 6V2h-4M2 10v4h4M14 10v4h-4" />
        )}
      </svg>
    </button>
  );
}
