import { useRef } from 'react';
import type { KeyboardEvent, PointerEvent } from 'react';

interface Props {
  readonly label: string;
  /** The direction of the line itself. */
  readonly orientation: 'vertical' | 'horizontal';
  /** Percent of the parent that the pane before (after, when `reversed`) the line has. */
  readonly value: number;
  readonly minimum: number;
  readonly maximum: number;
  readonly reversed?: boolean;
  /** Percent of the parent before the pane that is resized. */
  readonly offset?: number;
  readonly onChange: (value: number) => void;
  readonly onReset: () => void;
}

const STEP = 2;

/** The line between two panes: drag it, or move it with the arrow keys; Enter or a double click puts it back. */
export function Splitter(props: Props) {
  const { label, orientation, value, minimum, maximum, reversed = false, offset = 0, onChange, onReset } = props;
  const line = useRef<HTMLDivElement>(null);
  const vertical = orientation === 'vertical';
  const set = (next: number): void => onChange(Math.round(Math.min(maximum, Math.max(minimum, next)) * 10) / 10);

  const drag = (event: PointerEvent): void => {
    const box = line.current?.parentElement?.getBoundingClientRect();
    if (box === undefined || !line.current?.hasPointerCapture(event.pointerId)) return;
    const share = vertical ? (event.clientX - box.left) / box.width : (event.clientY - box.top) / box.height;
    set((reversed ? 1 - share : share) * 100 - offset);
  };
  const press = (event: KeyboardEvent): void => {
    const grow = vertical ? 'ArrowRight' : 'ArrowDown';
    const shrink = vertical ? 'ArrowLeft' : 'ArrowUp';
    const sign = reversed ? -1 : 1;
    if (event.key === grow) set(value + sign * STEP);
    else if (event.key === shrink) set(value - sign * STEP);
    else if (event.key === 'Home') set(minimum);
    else if (event.key === 'End') set(maximum);
    else if (event.key === 'Enter') onReset();
    else return;
    event.preventDefault();
  };
  return (
    <div
      ref={line}
      role="separator"
      tabIndex={0}
      className={`splitter splitter-${orientation}`}
      aria-label={label}
      aria-orientation={orientation}
      aria-valuenow={Math.round(value)}
      aria-valuemin={minimum}
      aria-valuemax={maximum}
      onPointerDown={(event) => {
        line.current?.setPointerCapture(event.pointerId);
        event.preventDefault();
      }}
      onPointerMove={drag}
      onDoubleClick={onReset}
      onKeyDown={press}
    />
  );
}
