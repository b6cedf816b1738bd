import { useEffect, useRef } from 'react';
import type { KeyboardEvent, RefObject } from 'react';
import { usePlacedBeside } from '../placing/use-placed-beside';
import type { MenuItem } from './menu-item';

interface Props {
  readonly id: string;
  readonly label: string;
  readonly items: readonly MenuItem[];
  /** The item that has the focus first. */
  readonly from: 'first' | 'last';
  readonly opener: RefObject<HTMLButtonElement | null>;
  readonly onChoose: (item: MenuItem) => void;
  /** Told that the focus goes elsewhere. */
  readonly onLeave: () => void;
}

/** The items of an open menu, above the page, where nothing clips them. */
export function MenuList({ id, label, items, from, opener, onChoose, onLeave }: Props) {
  const list = useRef<HTMLDivElement>(null);
  usePlacedBeside(list, opener);
  const rows = (): HTMLElement[] => [...(list.current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])];
  useEffect(() => {
    rows()
      .at(from === 'first' ? 0 : -1)
      ?.focus();
  }, [from]);
  const move = (event: KeyboardEvent): void => {
    const all = rows();
    const current = all.findIndex((row) => row === document.activeElement);
    const next = { ArrowDown: current + 1, ArrowUp: current - 1, Home: 0, End: all.length - 1 }[event.key];
    if (event.key === 'Tab') onLeave();
    if (next === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    all[(next + all.length) % all.length]?.focus();
  };
  return (
    <div ref={list} id={id} className="menu-list" role="menu" aria-label={label} popover="manual" onKeyDown={move}>
      {items.map((item) => (
        <button
          key={item.title}
          type="button"
          role="menuitem"
          tabIndex={-1}
          className="menu-item"
          aria-disabled={item.obstacle ? true : undefined}
          onClick={() => {
            if (!item.obstacle) onChoose(item);
          }}
        >
          <span>{item.title}</span>
          {item.keys !== undefined && <kbd>{item.keys}</kbd>}
          {(item.obstacle ?? item.says) && <span className="caption muted">{item.obstacle ?? item.says}</span>}
        </button>
      ))}
    </div>
  );
}
