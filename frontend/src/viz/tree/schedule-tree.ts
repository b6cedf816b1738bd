/** The rows of a schedule tree that are shown, and the arcs of dependences between them. */
import type { DependenceView, ForbiddingView, ScheduleTreeView, TreeRowView } from '../../api/types';

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
  /** It stands for the loop that a refused command asks for. */
  readonly forbids: boolean;
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

/** What forbids the loop that a command asks for. */
export function forbiddingText({ command, distance }: ForbiddingView): string {
  return `distance ${distance} forbids ${command}`;
}

const MOST_REACH = 44;
/** How far a curve comes, of how far its control points stand off. */
const BULGE = 0.75;
const LETTER_WIDTH = 6.5;

/** The width that the arcs take, with the longest of their labels on their left. */
export function arcsWidth(tree: ScheduleTreeView): number {
  const labels = [...tree.dependences.map(distanceText), ...tree.forbidding.map(({ distance }) => distance)];
  const longest = Math.max(0, ...labels.map((label) => label.length));
  return Math.ceil(BULGE * MOST_REACH + 10 + longest * LETTER_WIDTH);
}

/**
 * An arc for each dependence, from the shown row of what computes to that of what reads; none inside of one row. One that
 * forbids the loop that a command asks for stands in place of the same dependence as it is.
 */
export function arcs(tree: ScheduleTreeView, shown: readonly ShownRow[], width: number): Arc[] {
  const places = tree.rows.flatMap((row, place) => (row.kind === 'leaf' ? [place] : []));
  const rowOf = (assignment: number): number => {
    const place = places[assignment] ?? 0;
    return shown.findLastIndex((one) => one.place <= place);
  };
  const arc = (writer: number, reader: number, label: string, text: string, forbids: boolean): Arc[] => {
    const [from, to] = [rowOf(writer), rowOf(reader)];
    if (from === to) return [];
    const [start, end] = [(from + 0.5) * ROW_HEIGHT, (to + 0.5) * ROW_HEIGHT];
    const reach = Math.min(MOST_REACH, 14 + Math.abs(to - from) * 7);
    return [
      {
        path: `M ${width} ${start} C ${width - reach} ${start}, ${width - reach} ${end}, ${width - 4} ${end}`,
        label,
        x: width - reach * BULGE - 6,
        y: (start + end) / 2,
        text,
        forbids,
      },
    ];
  };
  const forbidden = tree.forbidding.flatMap((one) =>
    arc(one.writer, one.reader, one.distance, `${one.write} is read as ${one.read}: ${forbiddingText(one)}`, true),
  );
  const others = tree.dependences.filter(
    ({ writer, reader, read }) =>
      !tree.forbidding.some((one) => one.writer === writer && one.reader === reader && one.read === read),
  );
  return [
    ...others.flatMap((one) =>
      arc(
        one.writer,
        one.reader,
        distanceText(one),
        `${one.write} is read as ${one.read}, ${distanceText(one)}`,
        false,
      ),
    ),
    ...forbidden,
  ];
}
