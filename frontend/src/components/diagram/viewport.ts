/** Zoom and pan of a diagram: pure functions over (scale, x, y), where a point p of the diagram is drawn at p·scale + (x, y). */

import { READABLE, wholeScale, type Size } from '../../viz/fitting';

export interface View {
  readonly scale: number;
  readonly x: number;
  readonly y: number;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

const LIMITS = { least: 0.2, most: 4 };

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
