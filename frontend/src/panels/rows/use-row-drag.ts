/** Rows move by dragging their handle; the keyboard moves them with the arrow keys on the same handle. */
import { useState } from 'react';
import type { PointerEvent, RefObject } from 'react';
import type { ScheduleRow } from '../../schedule/schedule-lines';
import { useStore } from '../../state/store';

export interface RowDrag {
  /** Place of the row that is dragged, and the place where it would fall. */
  readonly from: number | null;
  readonly over: number | null;
  readonly handle: (place: number) => {
    readonly onPointerDown: (event: PointerEvent<HTMLElement>) => void;
    readonly onPointerMove: (event: PointerEvent<HTMLElement>) => void;
    readonly onPointerUp: () => void;
    readonly onPointerCancel: () => void;
  };
}

export function useRowDrag(list: RefObject<HTMLOListElement | null>, rows: readonly ScheduleRow[]): RowDrag {
  const store = useStore();
  const [drag, setDrag] = useState<{ from: number; over: number } | null>(null);
  return {
    from: drag?.from ?? null,
    over: drag?.over ?? null,
    handle: (place) => ({
      onPointerDown: (event) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        setDrag({ from: place, over: place });
      },
      onPointerMove: (event) => {
        if (drag === null) return;
        const boxes = [...(list.current?.children ?? [])].map((element) => element.getBoundingClientRect());
        const over = placeAtHeight(boxes, event.clientY);
        if (over !== drag.over) setDrag({ ...drag, over });
      },
      onPointerUp: () => {
        setDrag(null);
        const line = rows[drag?.from ?? -1]?.line;
        const to = rows[drag?.over ?? -1]?.line;
        if (line === undefined || to === undefined || line === to) return;
        store.update({ kind: 'row', change: { kind: 'move', line, to } });
      },
      onPointerCancel: () => setDrag(null),
    }),
  };
}

/** The row at a height of the page; above all the first, below all the last. */
export function placeAtHeight(boxes: readonly { readonly bottom: number }[], height: number): number {
  const place = boxes.findIndex((box) => height < box.bottom);
  return place < 0 ? Math.max(0, boxes.length - 1) : place;
}
