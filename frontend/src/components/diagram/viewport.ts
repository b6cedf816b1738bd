/** Zoom and pan of a diagram: pure functions over (scale, x, y), where a point p of the diagram is drawn at p·scale + (x, y). */

import type { AtLeastOne } from '../../viz/spacing';

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface View {
  readonly scale: number;
  readonly x: number;
  readonly y: number;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Above this, letters of a small diagram are larger than anything beside it. */
const LARGEST_FIT = 1.6;
/** The smallest text of a diagram, as it is drawn at scale 1; what is smaller on the screen than this cannot be read. */
const SMALLEST_TEXT = { drawn: 12, onScreen: 11 };
/** Below this a diagram is not made smaller: the rest of it is reached by panning. */
export const READABLE = SMALLEST_TEXT.onScreen / SMALLEST_TEXT.drawn;
const LIMITS = { least: 0.2, most: 4 };

/** The largest scale at which a frame holds all of a diagram. */
export function wholeScale(content: Size, frame: Size): number {
  if (Math.min(content.width, content.height, frame.width, frame.height) <= 0) return 1;
  return Math.min(frame.width / content.width, frame.height / content.height, LARGEST_FIT);
}

/** The first of several drawings, the roomiest first, that can be read whole in a frame; else the one that comes closest. */
export function fittingDrawing<D extends Size>(drawings: AtLeastOne<D>, frame: Size): D {
  const fits = drawings.find((drawing) => wholeScale(drawing, frame) >= READABLE);
  if (fits !== undefined) return fits;
  return drawings.reduce((best, drawing) => (wholeScale(drawing, frame) > wholeScale(best, frame) ? drawing : best));
}

/** The diagram with a point of it in the middle of its frame. */
export function lookAt(view: View, point: Point, frame: Size): View {
  return { ...view, x: frame.width / 2 - point.x * view.scale, y: frame.height / 2 - point.y * view.scale };
}

/** The whole diagram when it can be read, centred; otherwise the part of it around `root`. */
export function fitView(content: Size, frame: Size, root: Point = { x: 0, y: 0 }): View {
  return viewAt(Math.max(wholeScale(content, frame), READABLE), content, frame, root);
}

/** All of the diagram, however small. */
export function wholeView(content: Size, frame: Size): View {
  return viewAt(Math.max(wholeScale(content, frame), LIMITS.least), content, frame, { x: 0, y: 0 });
}

function viewAt(scale: number, content: Size, frame: Size, root: Point): View {
  // A frame that is not measured yet.
  if (Math.min(frame.width, frame.height) <= 0) return { scale, x: 0, y: 0 };
  const start = (room: number, length: number, at: number): number =>
    Math.round(length <= room ? (room - length) / 2 : Math.min(0, Math.max(room - length, room / 2 - at)));
  return {
    scale,
    x: start(frame.width, content.width * scale, root.x * scale),
    y: start(frame.height, content.height * scale, root.y * scale),
  };
}

/** On which sides the diagram goes on beyond its frame. */
export function cutSides(view: View, content: Size, frame: Size): readonly ('left' | 'right' | 'top' | 'bottom')[] {
  const cut = {
    left: view.x < -1,
    right: view.x + content.width * view.scale > frame.width + 1,
    top: view.y < -1,
    bottom: view.y + content.height * view.scale > frame.height + 1,
  };
  return (['left', 'right', 'top', 'bottom'] as const).filter((side) => cut[side]);
}

/** Zooms by `factor` about a point of the frame, which stays where it is. */
export function zoomAt(view: View, factor: number, point: { readonly x: number; readonly y: number }): View {
  const scale = Math.min(LIMITS.most, Math.max(LIMITS.least, view.scale * factor));
  const share = scale / view.scale;
  return { scale, x: point.x - (point.x - view.x) * share, y: point.y - (point.y - view.y) * share };
}

export function pan(view: View, x: number, y: number): View {
  return { ...view, x: view.x + x, y: view.y + y };
}
