/** A small matrix next to the arrays of its parts: where each cell and each place is drawn. */
import type { StoredPartsView } from '../../api/types';
import { slotRows } from './parts';

export const CELL = 26;
const [LABEL, TITLE, GAP, ROW_GAP] = [22, 20, 28, 2];
const MOST_CELLS = 1024;

export interface Box {
  readonly x: number;
  readonly y: number;
}

export interface CellBox extends Box {
  readonly at: readonly number[];
  /** The number of the entry, -1 where nothing is stored. */
  readonly entry: number;
}

export interface PlaceBox extends Box {
  readonly place: number;
  readonly entry: number;
}

export interface PartBox extends Box {
  readonly part: number;
  /** Where each row or piece begins, with what it is called. */
  readonly rows: readonly (Box & { readonly label: string })[];
  readonly places: readonly PlaceBox[];
}

export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly cells: readonly CellBox[];
  readonly columns: readonly (Box & { readonly label: string })[];
  readonly rows: readonly (Box & { readonly label: string })[];
  readonly parts: readonly PartBox[];
}

/** In a room of so many px: the parts stand beside the grid, or below it. Null for what is too large, or no matrix. */
export function pictureOf(stored: StoredPartsView, room: number): Picture | null {
  const { cells, parts, shape } = stored;
  if (cells === null || shape.length > 2 || shape.reduce((product, size) => product * size, 1) > MOST_CELLS)
    return null;
  if (parts.some(({ slots }) => slots === null)) return null;
  const [height, width] = shape.length === 1 ? [1, shape[0] ?? 0] : [shape[0] ?? 0, shape[1] ?? 0];
  const numbers = new Map(cells.coordinates.map((at, entry) => [at.join(' '), entry]));
  const grid = Array.from({ length: height * width }, (_, index): CellBox => {
    const [row, column] = [Math.floor(index / width), index % width];
    const at = shape.length === 1 ? [column] : [row, column];
    return { x: LABEL + column * CELL, y: TITLE + LABEL + row * CELL, at, entry: numbers.get(at.join(' ')) ?? -1 };
  });
  const gridWidth = LABEL + width * CELL;
  const drawn = parts.map(({ slots, pieces }, part) =>
    partBox(
      part,
      slots === null ? [] : slotRows(slots),
      pieces === null ? null : (entry) => cells.coordinates[entry]?.[0] ?? 0,
    ),
  );
  const widest = Math.max(0, ...drawn.map((one) => one.width));
  const beside = gridWidth + GAP + widest <= room;
  const [left, right] = beside
    ? [gridWidth + GAP, Math.max(room, gridWidth + GAP + widest)]
    : [0, Math.max(room, widest)];
  const top = beside ? 0 : TITLE + LABEL + height * CELL + GAP;
  let [x, y, line, most] = [left, top, 0, gridWidth];
  const placed = drawn.map((one): PartBox => {
    if (x > left && x + one.width > right) [x, y, line] = [left, y + line + GAP / 2, 0];
    const moved = moveBy(one, x, y);
    [x, line, most] = [x + one.width + GAP, Math.max(line, one.height), Math.max(most, x + one.width)];
    return moved;
  });
  return {
    width: most + 2,
    height: Math.max(TITLE + LABEL + height * CELL, y + line) + 2,
    cells: grid,
    columns: Array.from({ length: width }, (_, column) => ({
      x: LABEL + (column + 0.5) * CELL,
      y: TITLE + LABEL - 6,
      label: String(column),
    })),
    rows:
      shape.length === 1
        ? []
        : Array.from({ length: height }, (_, row) => ({
            x: LABEL - 6,
            y: TITLE + LABEL + (row + 0.5) * CELL,
            label: String(row),
          })),
    parts: placed,
  };
}

interface Unplaced extends PartBox {
  readonly width: number;
  readonly height: number;
}

const NAME_WIDTH = 64;
const FEWEST = 118;

function partBox(part: number, rows: ReturnType<typeof slotRows>, rowOf: ((entry: number) => number) | null): Unplaced {
  const longest = Math.max(0, ...rows.map(({ places }) => places.length));
  return {
    x: 0,
    y: 0,
    part,
    width: Math.max(FEWEST, NAME_WIDTH + longest * CELL),
    height: TITLE + Math.max(1, rows.length) * (CELL + ROW_GAP),
    rows: rows.map(({ outer, places }, index) => {
      const first = places.find(({ entry }) => entry >= 0);
      const label = rowOf === null || first === undefined ? String(outer) : `${outer}: row ${rowOf(first.entry)}`;
      return { x: NAME_WIDTH - 6, y: TITLE + index * (CELL + ROW_GAP) + CELL / 2, label };
    }),
    places: rows.flatMap(({ places }, index) =>
      places.map(({ place, entry }, slot) => ({
        x: NAME_WIDTH + slot * CELL,
        y: TITLE + index * (CELL + ROW_GAP),
        place,
        entry,
      })),
    ),
  };
}

function moveBy(box: Unplaced, x: number, y: number): PartBox {
  const move = <One extends Box>(one: One): One => ({ ...one, x: one.x + x, y: one.y + y });
  return { part: box.part, x, y, rows: box.rows.map(move), places: box.places.map(move) };
}
