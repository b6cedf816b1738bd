/** The coordinates of up to three operands as overlapping circles; a region for each set of operands. Pure geometry. */
import type { LatticeView } from '../../api/types';
import { handlerOf, isFull, keyOf } from './points';

export interface Circle {
  readonly operand: string;
  readonly tensor: string;
  readonly x: number;
  readonly y: number;
  readonly radius: number;
  /** Where its name stands, outside of the others. */
  readonly label: { readonly x: number; readonly y: number };
}

export interface Region {
  readonly key: string;
  /** The operands that have the coordinates of this region; none for what lies outside of all circles. */
  readonly present: readonly string[];
  readonly x: number;
  readonly y: number;
  /** The case of the point that handles the region; null where nothing is computed. */
  readonly point: string | null;
  readonly expression: string | null;
}

export interface VennLayout {
  readonly width: number;
  readonly height: number;
  readonly circles: readonly Circle[];
  readonly regions: readonly Region[];
}

export const MAX_CIRCLES = 3;
const RADIUS = 74;
const WIDTH = 320;

/** Null for more operands than circles can show. */
export function layoutVenn(lattice: LatticeView): VennLayout | null {
  const count = lattice.operands.length;
  if (count === 0 || count > MAX_CIRCLES) return null;
  const height = count === 3 ? 292 : 220;
  const middle = { x: WIDTH / 2, y: count === 3 ? 152 : 112 };
  const spread = count === 1 ? 0 : count === 2 ? 46 : 50;
  const angles = count === 2 ? [Math.PI, 0] : [-Math.PI * (5 / 6), -Math.PI / 6, Math.PI / 2];
  const circles = lattice.operands.map((operand, index): Circle => {
    const angle = count === 1 ? -Math.PI / 2 : (angles[index] ?? 0);
    const x = middle.x + spread * Math.cos(angle);
    const y = middle.y + spread * Math.sin(angle);
    const out = count === 2 ? { x: x + Math.cos(angle) * 36, y: y - RADIUS - 8 } : labelOutside(x, y, angle);
    return { operand: operand.access, tensor: operand.tensor, x, y, radius: RADIUS, label: out };
  });
  const regions = subsets(circles).map((present): Region => {
    const names = present.map(({ operand }) => operand);
    const handler = handlerOf(lattice, names);
    const at = present.length === 0 ? { x: 34, y: height - 18 } : anchorOf(present, circles, middle);
    return {
      key: keyOf(names),
      present: names,
      ...at,
      point: handler === null ? null : keyOf(handler.iterators),
      expression: handler?.expression ?? null,
    };
  });
  return {
    width: WIDTH,
    height,
    circles,
    // Outside of all circles something is computed only where every coordinate is visited.
    regions: regions.filter((region) => region.present.length > 0 || isFull(lattice)),
  };
}

function labelOutside(x: number, y: number, angle: number): { x: number; y: number } {
  if (angle === Math.PI / 2) return { x, y: y + RADIUS + 14 };
  return { x: x + Math.cos(angle) * 30, y: y - RADIUS - 8 };
}

/** The middle of a region: pushed away from the circles that it lies outside of. */
function anchorOf(inside: readonly Circle[], all: readonly Circle[], middle: { x: number; y: number }) {
  const x = inside.reduce((sum, circle) => sum + circle.x, 0) / inside.length;
  const y = inside.reduce((sum, circle) => sum + circle.y, 0) / inside.length;
  if (inside.length === all.length) return { x: middle.x, y: middle.y };
  const push = all.length === 3 && inside.length === 2 ? 1.5 : 1.62;
  return { x: middle.x + (x - middle.x) * push, y: middle.y + (y - middle.y) * push };
}

function subsets(circles: readonly Circle[]): Circle[][] {
  return Array.from({ length: 2 ** circles.length }, (_, bits) =>
    circles.filter((_, index) => (bits >> index) % 2 === 1),
  );
}
