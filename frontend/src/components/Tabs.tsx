import { useEffect, useId, useRef } from 'react';
import type { KeyboardEvent, ReactNode } from 'react';

export interface Tab<Id extends string> {
  readonly id: Id;
  readonly title: string;
}

interface Props<Id extends string> {
  readonly label: string;
  readonly tabs: readonly Tab<Id>[];
  readonly chosen: Id;
  readonly onChoose: (id: Id) => void;
  /** Stands at the end of the row of tabs. */
  readonly tools?: ReactNode;
  readonly children: ReactNode;
}

/** Tabs as the ARIA practices describe them: arrows move, Home and End jump, one tab stop. */
export function Tabs<Id extends string>({ label, tabs, chosen, onChoose, tools, children }: Props<Id>) {
  const base = useId();
  const list = useRef<HTMLDivElement>(null);
  // Where not all tabs fit, the list scrolls: the chosen one stays in sight.
  useEffect(() => {
    const bar = list.current;
    const tab = bar?.querySelector<HTMLElement>('[aria-selected=true]');
    if (!bar || !tab) return;
    const [left, right] = [tab.offsetLeft, tab.offsetLeft + tab.offsetWidth];
    if (left < bar.scrollLeft) bar.scrollLeft = left;
    else if (right > bar.scrollLeft + bar.clientWidth) bar.scrollLeft = right - bar.clientWidth;
  }, [chosen]);
  const move = (event: KeyboardEvent): void => {
    const current = tabs.findIndex(({ id }) => id === chosen);
    const next = { ArrowRight: current + 1, ArrowLeft: current - 1, Home: 0, End: tabs.length - 1 }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    const index = (next + tabs.length) % tabs.length;
    const tab = tabs[index];
    if (tab) onChoose(tab.id);
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[index]?.focus();
  };
  return (
    <div className="tabs">
      <div className="tab-row">
        <div role="tablist" aria-label={label} ref={list}>
          {tabs.map(({ id, title }) => (
            <button
              key={id}
              type="button"
              role="tab"
              id={`${base}-${id}`}
              aria-selected={id === chosen}
              aria-controls={`${base}-panel`}
              tabIndex={id === chosen ? 0 : -1}
              onClick={() => onChoose(id)}
              onKeyDown={move}
            >
              {title}
            </button>
          ))}
        </div>
        {tools}
      </div>
      <div
        className="tab-panel"
        role="tabpanel"
        id={`${base}-panel`}
        aria-labelledby={`${base}-${chosen}`}
        tabIndex={0}
      >
        {children}
      </div>
    </div>
  );
}
