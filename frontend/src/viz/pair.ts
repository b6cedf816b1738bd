/** How two pictures share a pane: beside each other, one above the other, or one at a time. */
import { fittingDrawing, READABLE, wholeScale, type Size } from './fitting';
import type { AtLeastOne } from './spacing';

export interface Picture {
  /** What may be drawn, the roomiest first. */
  readonly drawings: AtLeastOne<Size>;
  /** Height of what stands around the drawing: buttons, formulas, the way to the text. */
  readonly around: number;
}

export interface Arrangement {
  readonly direction: 'beside' | 'stacked';
  /** Of the room along the direction, what the first picture gets. */
  readonly share: number;
  /** Both pictures can be read whole; otherwise one is shown at a time. */
  readonly both: boolean;
}

/** Shares that are tried, those that one expects first: a picture must be better off for another one. */
const SHARES = [0.5, 0.53, 0.47, 0.56, 0.44, 0.6, 0.4, 0.65, 0.35, 0.7, 0.3, 0.75, 0.25];
const BETTER = 1.02;
/** The first picture is what one looks at first. */
const FIRST_COUNTS = 1.5;
/** What a picture counts of which a part is out of sight: even a narrow one may be the end of a word. */
const CUT = 0.5;
/** What a picture counts more that fills its share of the pane. */
const FILLING_COUNTS = 0.4;

export const EVEN: Arrangement = { direction: 'beside', share: 0.5, both: true };

/** The arrangement that shows the most of both pictures in a size that can be read. */
export function arrange(pane: Size, first: Picture, second: Picture): Arrangement {
  let best: Arrangement = { ...EVEN, both: false };
  let most = 0;
  for (const direction of ['beside', 'stacked'] as const) {
    for (const share of SHARES) {
      const one = worthOf(pane, first, roomOf(pane, direction, share));
      const other = worthOf(pane, second, roomOf(pane, direction, 1 - share));
      const worth = FIRST_COUNTS * one + other;
      if (worth <= most * BETTER) continue;
      most = worth;
      best = { direction, share, both: Math.min(one, other) >= READABLE };
    }
  }
  return best;
}

const roomOf = ({ width, height }: Size, direction: Arrangement['direction'], share: number): Size =>
  direction === 'beside' ? { width: width * share, height } : { width, height: height * share };

/** How well a picture can be read in its room: at least `READABLE` where it can be read whole. */
function worthOf(pane: Size, { drawings, around }: Picture, room: Size): number {
  const frame = { width: room.width, height: room.height - around };
  if (frame.height <= 0) return 0;
  const drawing = fittingDrawing(drawings, frame);
  const scale = wholeScale(drawing, frame);
  if (scale < READABLE) return CUT * scale;
  const filled = (drawing.width * drawing.height * scale ** 2) / (pane.width * pane.height);
  return READABLE + FILLING_COUNTS * filled;
}
