/** Where the cells of a grid lie in its picture, in pixels. */
export interface Frame {
  readonly rows: number;
  readonly columns: number;
  /** Side of a cell. */
  readonly cell: number;
  /** Corner of cell (0, 0). */
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  /** The coordinates that are written at the sides; where there is no room for all, each 5th, 10th … */
  readonly rowLabels: readonly number[];
  readonly columnLabels: readonly number[];
}

const ROOM = 384;
/** Between two pictures side by side, and the least room in which one can be read, in pixels. */
const [GAP, NARROWEST] = [16, 150];
const [SMALLEST, LARGEST] = [3, 42];
const [LEFT, TOP, END] = [38, 34, 8];

/** The room of one picture in `width`: it is never shrunk afterwards, which would make its text too small. */
export const aloneRoom = (width: number): number => Math.min(ROOM, Math.floor(width) - LEFT - END);

/** The room of each of two pictures that stand side by side in `width`; null where they stand below each other. */
export function besideRoom(width: number): number | null {
  const each = Math.floor((width - GAP) / 2) - LEFT - END;
  return each < NARROWEST ? null : Math.min(ROOM, each);
}

/** `room` is what the cells may take of the width and of the height. */
export function frameOf(rows: number, columns: number, room = ROOM): Frame {
  const cell = Math.min(LARGEST, Math.max(SMALLEST, Math.floor(room / Math.max(rows, columns, 1))));
  const [left, top] = [LEFT, TOP];
  const labels = (count: number, room: number): number[] => {
    const each = [1, 2, 5, 10, 20, 50, 100].find((step) => step * cell >= room) ?? 200;
    return Array.from({ length: Math.ceil(count / each) }, (_, number) => number * each);
  };
  return {
    rows,
    columns,
    cell,
    left,
    top,
    width: left + columns * cell + END,
    height: top + rows * cell + END,
    rowLabels: labels(rows, 13),
    columnLabels: labels(columns, 20),
  };
}

/** The middle of a cell. */
export function centre(frame: Frame, row: number, column: number): readonly [number, number] {
  return [frame.left + (column + 0.5) * frame.cell, frame.top + (row + 0.5) * frame.cell];
}
