/** SVG path data for lines that run down the page: vertical at both ends, smooth in between. */

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A vertical stretch of a line, from `top` to `bottom`. */
export interface Stretch {
  readonly x: number;
  readonly top: number;
  readonly bottom: number;
}

const number = (value: number): string => String(Math.round(value * 10) / 10);

/** Joins vertical stretches, given from top to bottom, by curves with vertical tangents. */
export function throughStretches(stretches: readonly Stretch[]): string {
  let data = '';
  let last: Stretch | null = null;
  for (const stretch of stretches) {
    if (last === null) data += `M${number(stretch.x)} ${number(stretch.top)}`;
    else data += ` ${verticalCurve({ x: last.x, y: last.bottom }, { x: stretch.x, y: stretch.top })}`;
    if (stretch.bottom !== stretch.top) data += ` V${number(stretch.bottom)}`;
    last = stretch;
  }
  return data;
}

/** Smooth curve through points that go down the page, as path data. */
export function throughPoints(points: readonly Point[]): string {
  return throughStretches(points.map((point) => ({ x: point.x, top: point.y, bottom: point.y })));
}

/**
 * A cubic whose height grows evenly and whose sideways move depends only on the share of the height: two such curves
 * between the same two heights cross only when their ends change sides.
 */
function verticalCurve(from: Point, to: Point): string {
  if (from.x === to.x) return `V${number(to.y)}`;
  const middle = (from.y + to.y) / 2;
  return `C${number(from.x)} ${number(middle)} ${number(to.x)} ${number(middle)} ${number(to.x)} ${number(to.y)}`;
}
