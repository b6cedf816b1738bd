/** How the loops of an iteration graph are dragged: what a graph needs from whoever lets its loops change places. */
import type { KeyboardEvent, PointerEvent } from 'react';
import type { PlacedLoop } from '../../viz/iteration/types';

export interface Drag {
  readonly variable: string;
  /** How far the loop is from its home, in px of the drawing. */
  readonly by: number;
  readonly place: number;
}

export interface Reorder {
  readonly drag: Drag | null;
  /** Whether the loop would be legal at a place of its chain; null while that is not known. */
  readonly legalAt: (variable: string, place: number) => boolean | null;
  readonly handlers: (
    variable: string,
    loops: readonly PlacedLoop[],
  ) => {
    readonly onPointerDown: (event: PointerEvent<SVGGElement>) => void;
    readonly onClickCapture: (event: { stopPropagation: () => void }) => void;
    readonly onKeyDown: (event: KeyboardEvent<SVGGElement>) => void;
  };
}
