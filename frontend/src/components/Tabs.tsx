import { useEffect, useId, useRef, useState } from 'react';
import type { KeyboardEvent, ReactNode } from 'react';
import { keepTab, usePreferences } from '../state/kept/preferences';
import { Menu } from './menu/Menu';
import { useSizeOf } from './use-size-of';

export interface Tab<Id extends string> {
  readonly id: Id;
  readonly title: string;
  /** Why it cannot be chosen here. */
  readonly obstacle?: string | null;
  /** Stands behind *More*, where this says what it is, until somebody has opened it once. */
  readonly aside?: string | undefined;
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

const ARROW_PX = 24;

/** The tabs out of sight: on either side, and whether the list has to scroll at all. Both arrows come and go with the
 *  latter: one that came while the list scrolls would move the tab that the pointer is about to press. */
const NONE_HIDDEN = { before: false, after: false, some: false };

/** Tabs as the ARIA practices describe them: arrows move, Home and End jump, one tab stop. */
export function Tabs<Id extends string>({ label, tabs: all, chosen, onChoose, tools, children }: Props<Id>) {
  const base = useId();
  const list = useRef<HTMLDivElement>(null);
  const room = useSizeOf(list);
  const opened = usePreferences((preferences) => preferences.tabs);
  const isOut = ({ id, aside }: Tab<Id>): boolean => aside === undefined || id === chosen || opened.includes(id);
  const tabs = all.filter(isOut);
  const rest = all.filter((tab) => !isOut(tab));
  const isAside = all.some(({ id, aside }) => id === chosen && aside !== undefined);
  useEffect(() => {
    if (isAside) keepTab(chosen);
  }, [isAside, chosen]);
  const ids = tabs.map(({ id }) => id).join(' ');
  // Where not all tabs fit, the list scrolls: the chosen one stays in sight, also when the arrows take their room or a
  // tab comes, unless somebody looks at the others: who has scrolled to one, by whatever means, finds it there, though
  // the arrow that appears then takes room.
  const looksAround = useRef(false);
  const seen = useRef({ left: 0, most: 0 });
  const notice = (bar: HTMLElement): void => {
    const [left, most] = [bar.scrollLeft, bar.scrollWidth - bar.clientWidth];
    // Where less is left to scroll, the browser itself goes back to the end of it.
    const atEnd = most < seen.current.most && left >= most - 1;
    if (!atEnd && Math.abs(left - seen.current.left) > 1) looksAround.current = true;
    seen.current = { left, most };
  };
  useEffect(() => {
    looksAround.current = false;
    if (list.current) seen.current.left = list.current.scrollLeft;
  }, [chosen]);
  useEffect(() => {
    const bar = list.current;
    const tab = bar?.querySelector<HTMLElement>('[aria-selected=true]');
    if (!bar || !tab) return;
    notice(bar);
    if (looksAround.current) return;
    const [left, right] = [tab.offsetLeft, tab.offsetLeft + tab.offsetWidth];
    if (left < bar.scrollLeft) bar.scrollLeft = left;
    else if (right > bar.scrollLeft + bar.clientWidth) bar.scrollLeft = right - bar.clientWidth;
    seen.current.left = bar.scrollLeft;
  }, [chosen, ids, room]);
  const [hidden, setHidden] = useState(NONE_HIDDEN);
  const look = (): void => {
    const bar = list.current;
    if (bar === null) return;
    const after = bar.scrollLeft + bar.clientWidth < bar.scrollWidth - 1;
    setHidden(({ some }) => ({
      before: bar.scrollLeft > 1,
      after,
      some: bar.scrollWidth > bar.clientWidth + (some ? 2 * ARROW_PX : 0) + 1,
    }));
  };
  useEffect(look, [room, ids]);
  const scrolled = (): void => {
    if (list.current) notice(list.current);
    look();
  };
  const scroll = (side: -1 | 1): void => {
    const bar = list.current;
    looksAround.current = true;
    if (bar) bar.scrollLeft += side * 0.7 * bar.clientWidth;
  };
  const move = (event: KeyboardEvent): void => {
    const current = tabs.findIndex(({ id }) => id === chosen);
    const next = { ArrowRight: current + 1, ArrowLeft: current - 1, Home: 0, End: tabs.length - 1 }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    const index = (next + tabs.length) % tabs.length;
    const tab = tabs[index];
    if (tab && !tab.obstacle) onChoose(tab.id);
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[index]?.focus();
  };
  return (
    <div className="tabs">
      <div className="tab-row">
        {hidden.some && <Further side="before" useful={hidden.before} onPress={() => scroll(-1)} />}
        <div
          role="tablist"
          aria-label={label}
          ref={list}
          onScroll={scrolled}
          onWheel={() => (looksAround.current = true)}
          onTouchMove={() => (looksAround.current = true)}
        >
          {tabs.map(({ id, title, obstacle = null }) => (
            <button
              key={id}
              type="button"
              role="tab"
              id={`${base}-${id}`}
              aria-selected={id === chosen}
              aria-disabled={obstacle !== null || undefined}
              data-tip={obstacle ?? undefined}
              aria-controls={`${base}-panel`}
              tabIndex={id === chosen ? 0 : -1}
              onClick={() => {
                if (obstacle === null) onChoose(id);
              }}
              onKeyDown={move}
            >
              {title}
            </button>
          ))}
        </div>
        {hidden.some && <Further side="after" useful={hidden.after} onPress={() => scroll(1)} />}
        {rest.length > 0 && (
          <Menu
            label={`More: ${label.toLowerCase()}`}
            className="tab-more"
            items={rest.map(({ id, title, aside, obstacle }) => ({
              title,
              says: aside,
              obstacle,
              onChoose: () => onChoose(id),
            }))}
          >
            More ▾
          </Menu>
        )}
        <span className="tab-tools">{tools}</span>
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

interface FurtherProps {
  readonly side: 'before' | 'after';
  /** Whether there is a tab on that side; without one the arrow keeps its room. */
  readonly useful: boolean;
  readonly onPress: () => void;
}

/** For the pointer alone: the arrow keys go to every tab, and the list follows. */
function Further({ side, useful, onPress }: FurtherProps) {
  return (
    <button
      type="button"
      className="tab-further"
      style={{ width: ARROW_PX, visibility: useful ? 'visible' : 'hidden' }}
      tabIndex={-1}
      aria-hidden
      data-tip={`More tabs ${side} these`}
      onClick={onPress}
    >
      {side === 'before' ? '‹' : '›'}
    </button>
  );
}
