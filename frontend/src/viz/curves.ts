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

/**
 * Smooth curve through points that go down the page, moved `aside` by some px. Several such curves run side by side,
 * in the flat parts too: there the curve that starts further to the outside of the bend stays outside.
 */
export function throughPoints(points: readonly Point[], aside = 0): string {
  let data = '';
  let last: Point | null = null;
  for (const { x, y } of points) {
    const point = { x: x + aside, y };
    if (last === null) data = `M${number(point.x)} ${number(y)}`;
    else data += ` ${verticalCurve(last, point, -aside * Math.sign(point.x - last.x))}`;
    last = point;
  }
  return data;
}

/** A small arrow head at `tip`, pointing down (`direction` 1) or up (−1). */
export function arrowHead(tip: Point, direction: 1 | -1): string {
  const base = tip.y - direction * 7;
  return `M${number(tip.x)} ${number(tip.y)} L${number(tip.x - 3.5)} ${number(base)} H${number(tip.x + 3.5)} Z`;
}

/**
 * A cubic whose height grows evenly and whose sideways move depends only on the share of the height: two such curves
 * between the same two heights cross only when their ends change sides. `lift` moves the flat part up or down.
 */
function verticalCurve(from: Point, to: Point, lift = 0): string {
  if (from.x === to.x) return `V${number(to.y)}`;
  const middle = (from.y + to.y) / 2 + lift;
  return `C${number(from.x)} ${number(middle)} ${number(to.x)} ${number(middle)} ${number(to.x)} ${number(to.y)}`;
}
