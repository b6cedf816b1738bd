/** A roofline on logarithmic axes: a slope while memory is the limit, then flat (docs/sources.toml V18). */

export interface Roof {
  /** The roof as an SVG path. */
  readonly path: string;
  /** Where the plan stands on it. */
  readonly x: number;
  readonly y: number;
  /** Where the slope ends. */
  readonly edge: number;
}

/** Powers of two that the axis has to each side of the border. */
const SPAN = 8;
const MARGIN = 8;

export function roofOf(intensity: number, balance: number, width: number, height: number): Roof {
  const edge = width / 2;
  const far = Math.max(-SPAN, Math.min(SPAN, Math.log2(Math.max(intensity, Number.MIN_VALUE) / balance)));
  const x = edge + (far / SPAN) * (edge - MARGIN);
  const roof = (at: number): number =>
    at >= edge ? MARGIN : MARGIN + ((edge - at) / edge) * (height - 2 * MARGIN - 14);
  return { path: `M0 ${roof(0)}L${edge} ${roof(edge)}H${width}`, x, y: roof(x), edge };
}
