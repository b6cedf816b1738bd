/** The path of the moving dot: visited cells, and arrows from point to point that fade with age. */
import { centre } from './frame';
import type { Frame } from './frame';
import { placeOf } from './grid';
import type { Grid } from './grid';
import type { Visit } from './visits';

/** Arrows that are drawn behind the dot; where there are few points all stay. */
export const TRAIL = 24;
const ALL_STAY = 60;

export interface Arrow {
  /** The number of the visit that it leads to. */
  readonly visit: number;
  /** Depth of the loop that moved. */
  readonly loop: number;
  readonly from: readonly [number, number];
  readonly to: readonly [number, number];
  readonly opacity: number;
}

export interface Trail {
  /** One closed path for each visit to this slice. */
  readonly marks: readonly string[];
  /** How many of `marks` belong to the first `done` visits. */
  readonly before: (done: number) => number;
  readonly arrows: (done: number) => Arrow[];
}

/** The trail in slice `slice`; an arrow is drawn where both of its ends lie in it. */
export function trailOf(frame: Frame, grid: Grid, slice: number, visits: readonly Visit[]): Trail {
  const places = visits.map(({ at }) => placeOf(grid, at));
  const counted: number[] = [0];
  const marks: string[] = [];
  for (const place of places) {
    if (place?.slice === slice) {
      const { left, top, cell } = frame;
      marks.push(`M${left + place.column * cell} ${top + place.row * cell}h${cell}v${cell}h${-cell}z`);
    }
    counted.push(marks.length);
  }
  const arrows = (done: number): Arrow[] => {
    const kept = visits.length <= ALL_STAY ? visits.length : TRAIL;
    const found: Arrow[] = [];
    for (let visit = Math.max(1, done - kept); visit < done; visit += 1) {
      const [from, to] = [places[visit - 1], places[visit]];
      if (from?.slice !== slice || to?.slice !== slice || (from.row === to.row && from.column === to.column)) continue;
      found.push({
        visit,
        loop: visits[visit]?.loop ?? 0,
        from: centre(frame, from.row, from.column),
        to: centre(frame, to.row, to.column),
        opacity: Math.max(0.35, 1 - (done - 1 - visit) / kept),
      });
    }
    return found;
  };
  return { marks, before: (done) => counted[Math.min(done, visits.length)] ?? 0, arrows };
}

/** The line of an arrow, and its head apart: the line may be dashed. */
export function arrowOf({ from: [x1, y1], to: [x2, y2] }: Arrow): { readonly line: string; readonly head: string } {
  const length = Math.hypot(x2 - x1, y2 - y1);
  if (length === 0) return { line: '', head: '' };
  const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
  const size = Math.min(9, length * 0.45);
  const wing = size * 0.45;
  const [bx, by] = [x2 - dx * size, y2 - dy * size];
  const round = (value: number): number => Math.round(value * 10) / 10;
  const at = (x: number, y: number): string => `${round(x)} ${round(y)}`;
  return {
    line: `M${at(x1, y1)}L${at(bx, by)}`,
    head: `M${at(bx - dy * wing, by + dx * wing)}L${at(x2, y2)}L${at(bx + dy * wing, by - dx * wing)}z`,
  };
}
