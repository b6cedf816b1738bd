/** Zoom and pan of a diagram: pure functions over (scale, x, y), where a point p of the diagram is drawn at p·scale + (x, y). */

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface View {
  readonly scale: number;
  readonly x: number;
  readonly y: number;
}

const LARGEST_FIT = 1.1;
const SMALLEST_FIT = 0.5; // below this names can no longer be read: then the rest is reached by panning
const LIMITS = { least: 0.2, most: 4 };

/** The whole diagram when it stays readable, centred; otherwise its top left part. */
export function fitView(content: Size, frame: Size): View {
  if (content.width <= 0 || content.height <= 0) return { scale: 1, x: 0, y: 0 };
  const whole = Math.min(frame.width / content.width, frame.height / content.height, LARGEST_FIT);
  const scale = Math.max(whole, Math.min(SMALLEST_FIT, LARGEST_FIT));
  return {
    scale,
    x: Math.round(Math.max(0, (frame.width - content.width * scale) / 2)),
    y: Math.round(Math.max(0, (frame.height - content.height * scale) / 2)),
  };
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
