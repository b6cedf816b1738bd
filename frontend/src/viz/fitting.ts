/** Which drawing of a picture a frame shows, and how large. */
import type { AtLeastOne } from './spacing';

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Above this, letters of a small diagram are larger than anything beside it. */
const LARGEST_FIT = 1.6;
/** The smallest text of a diagram, as it is drawn at scale 1; what is smaller on the screen than this cannot be read. */
const SMALLEST_TEXT = { drawn: 12, onScreen: 11 };
/** Below this a diagram is not made smaller: the rest of it is reached by panning. */
export const READABLE = SMALLEST_TEXT.onScreen / SMALLEST_TEXT.drawn;
/** So much larger letters are worth it. */
const LARGER = 1.03;

/** The largest scale at which a frame holds all of a diagram. */
export function wholeScale(content: Size, frame: Size): number {
  if (Math.min(content.width, content.height, frame.width, frame.height) <= 0) return 1;
  return Math.min(frame.width / content.width, frame.height / content.height, LARGEST_FIT);
}

/**
 * The first of several drawings, the roomiest first, that can be read whole in a frame, and of those as wide as that the
 * highest in which letters are as large as in the lowest; where none can be read, the one that comes closest.
 */
export function fittingDrawing<D extends Size>(drawings: AtLeastOne<D>, frame: Size): D {
  const scaleOf = (drawing: D): number => wholeScale(drawing, frame);
  const fits = drawings.find((drawing) => scaleOf(drawing) >= READABLE);
  if (fits === undefined) {
    return drawings.reduce((best, drawing) => (scaleOf(drawing) > scaleOf(best) ? drawing : best));
  }
  const asWide = drawings.filter(({ width }) => width === fits.width);
  const largest = Math.max(...asWide.map(scaleOf));
  return asWide.find((drawing) => scaleOf(drawing) * LARGER >= largest) ?? fits;
}
