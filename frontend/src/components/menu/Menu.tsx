import { useCallback, useId, useRef, useState } from 'react';
import type { KeyboardEvent, ReactNode } from 'react';
import { useDismiss } from '../use-dismiss';
import { MenuList } from './MenuList';
import type { MenuItem } from './menu-item';
import './menu.css';

interface Props {
  /** Names the button and the menu. */
  readonly label: string;
  readonly items: readonly MenuItem[];
  /** Of the button. */
  readonly className: string;
  /** What the button shows. */
  readonly children: ReactNode;
}

/** A button that opens a menu, as the ARIA practices describe it: arrows move, Home and End jump, Escape closes. */
export function Menu({ label, items, className, children }: Props) {
  const id = useId();
  const box = useRef<HTMLSpanElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const [from, setFrom] = useState<'first' | 'last' | null>(null);
  const close = useCallback((by: 'escape' | 'outside') => {
    setFrom(null);
    if (by === 'escape') button.current?.focus();
  }, []);
  useDismiss(box, from !== null, close);
  const open = (event: KeyboardEvent): void => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    event.preventDefault();
    setFrom(event.key === 'ArrowDown' ? 'first' : 'last');
  };
  return (
    <span className="menu" ref={box}>
      <button
        ref={button}
        type="button"
        className={className}
        aria-haspopup="menu"
        aria-expanded={from !== null}
        aria-controls={from === null ? undefined : id}
        aria-label={label}
        data-tip={label}
        onClick={() => setFrom(from === null ? 'first' : null)}
        onKeyDown={open}
      >
        {children}
      </button>
      {from !== null && (
        <MenuList
          id={id}
          label={label}
          items={items}
          from={from}
          opener={button}
          onChoose={(item) => {
            close('escape');
            item.onChoose();
          }}
          onLeave={() => setFrom(null)}
        />
      )}
    </span>
  );
}
