/** The rows of a schedule tree that are shown, and the arcs of dependences between them. */
import type { DependenceView, ScheduleTreeView, TreeRowView } from '../../api/types';

export const ROW_HEIGHT = 30;

export interface ShownRow {
  readonly row: TreeRowView;
  /** Its place in the whole tree. */
  readonly place: number;
  readonly inner: boolean;
  readonly closed: boolean;
}

export interface Arc {
  readonly path: string;
  readonly label: string;
  readonly x: number;
  readonly y: number;
  readonly text: string;
}

/** The rows, without those below a closed one. */
export function shownRows(tree: ScheduleTreeView, closed: ReadonlySet<number>): ShownRow[] {
  const shown: ShownRow[] = [];
  let under = Infinity;
  tree.rows.forEach((row, place) => {
    if (row.depth > under) return;
    under = closed.has(place) ? row.depth : Infinity;
    const inner = (tree.rows[place + 1]?.depth ?? 0) > row.depth;
    shown.push({ row, place, inner, closed: closed.has(place) });
  });
  return shown;
}

/** In how many iterations after it is computed something is read. */
export function distanceText(dependence: DependenceView): string {
  if (dependence.distances.length === 0) return 'in sequence';
  return dependence.distances.map(({ loop, distance }) => `${loop}: ${distance}`).join(', ');
}

const MOST_REACH = 44;
/** How far a curve comes, of how far its control points stand off. */
const BULGE = 0.75;
const LETTER_WIDTH = 6.5;

/** The width that the arcs take, with the longest of their labels on their left. */
export function arcsWidth(tree: ScheduleTreeView): number {
  const longest = Math.max(0, ...tree.dependences.map((one) => distanceText(one).length));
  return Math.ceil(BULGE * MOST_REACH + 10 + longest * LETTER_WIDTH);
}

/** An arc for each dependence, from the shown row of what computes to that of what reads; none inside of one row. */
export function arcs(tree: ScheduleTreeView, shown: readonly ShownRow[], width: number): Arc[] {
  const places = tree.rows.flatMap((row, place) => (row.kind === 'leaf' ? [place] : []));
  const rowOf = (assignment: number): number => {
    const place = places[assignment] ?? 0;
    return shown.findLastIndex((one) => one.place <= place);
  };
  return tree.dependences.flatMap((dependence) => {
    const [from, to] = [rowOf(dependence.writer), rowOf(dependence.reader)];
    if (from === to) return [];
    const [start, end] = [(from + 0.5) * ROW_HEIGHT, (to + 0.5) * ROW_HEIGHT];
    const reach = Math.min(MOST_REACH, 14 + Math.abs(to - from) * 7);
    return [
      {
        path: `M ${width} ${start} C ${width - reach} ${start}, ${width - reach} ${end}, ${width - 4} ${end}`,
        label: distanceText(dependence),
        x: width - reach * BULGE - 6,
        y: (start + end) / 2,
        text: `${dependence.write} is read as ${dependence.read}, ${distanceText(dependence)}`,
      },
    ];
  });
}
