/** The coordinates that a part stores its entries by, (i, j) → (i, j − i), and where a picture has them. */
import type { RemappingView, StoredPartsView } from '../../api/types';
import { CELL } from './picture';

const LABEL = 34;
const MOST = 40;

export interface Move {
  readonly entry: number;
  readonly at: readonly number[];
  /** The new coordinates. */
  readonly to: readonly number[];
  readonly fromX: number;
  readonly fromY: number;
  readonly toX: number;
  readonly toY: number;
}

export interface RemappedGrid {
  readonly width: number;
  readonly height: number;
  readonly rows: readonly { readonly y: number; readonly label: string }[];
  readonly columns: readonly { readonly x: number; readonly label: string }[];
  readonly left: number;
  readonly top: number;
}

/** `{1} − {0}` with the names of the dimensions. */
export const named = (text: string, dimensions: readonly string[]): string =>
  text.replace(/\{(\d+)\}/g, (_, place: string) => dimensions[Number(place)] ?? place);

/** `(i, j) → (i, d = j − i)`. */
export function forwardText({ targets }: RemappingView, dimensions: readonly string[]): string {
  const made = targets.map(({ symbol, formula }) =>
    symbol === formula ? named(symbol, dimensions) : `${named(symbol, dimensions)} = ${named(formula, dimensions)}`,
  );
  return `(${dimensions.join(', ')}) → (${made.join(', ')})`;
}

/** `i = i, j = i + d`: the way back. */
export function backText({ inverse }: RemappingView, dimensions: readonly string[]): string {
  return inverse.map((formula, place) => `${dimensions[place] ?? ''} = ${named(formula, dimensions)}`).join(', ');
}

/** `(i = 2, d = 3)` of one entry. */
export function tupleText({ targets }: RemappingView, to: readonly number[], dimensions: readonly string[]): string {
  return `(${targets.map(({ symbol }, place) => `${named(symbol, dimensions)} = ${to[place] ?? ''}`).join(', ')})`;
}

/** Each entry of the part with its old and new coordinates, in the order of the places. */
export function movesOf(stored: StoredPartsView, remapping: RemappingView): readonly Move[] {
  const [height, width] = axesOf(remapping);
  return remapping.entries.map((entry, place) => {
    const at = stored.cells?.coordinates[entry] ?? [];
    const to = remapping.coordinates[place] ?? [];
    return {
      entry,
      at,
      to,
      fromX: LABEL + (at.at(-1) ?? 0) * CELL,
      fromY: LABEL + (at.length > 1 ? (at.at(-2) ?? 0) : 0) * CELL,
      toX: LABEL + folded(width, to) * CELL,
      toY: LABEL + folded(height, to) * CELL,
    };
  });
}

/** The grid of the new coordinates: those of the dimension of the outermost level run down, the others across. Null for
 *  what is too large, or no matrix. */
export function gridOf(stored: StoredPartsView, remapping: RemappingView): RemappedGrid | null {
  const { shape, cells } = stored;
  const [down, across] = axesOf(remapping);
  const [rows, columns] = [sizeOf(down), sizeOf(across)];
  const [oldRows, oldColumns] = [shape[0] ?? 0, shape[1] ?? 0];
  if (cells === null || shape.length !== 2 || Math.max(rows, columns, oldRows, oldColumns) > MOST) return null;
  return {
    width: LABEL + Math.max(columns, oldColumns) * CELL + 2,
    height: LABEL + Math.max(rows, oldRows) * CELL + 2,
    rows: labelsOf(down).map((label, row) => ({ label, y: LABEL + row * CELL })),
    columns: labelsOf(across).map((label, column) => ({ label, x: LABEL + column * CELL })),
    left: LABEL,
    top: LABEL,
  };
}

/** How many entries of each row have been counted after so many steps: what `#i` counts. Null where nothing is. */
export function countersOf(remapping: RemappingView, moved: number): ReadonlyMap<number, number> | null {
  const row = remapping.targets.findIndex(({ formula }) => /^#/.test(formula) && !formula.includes('piece'));
  if (row < 1) return null;
  const counts = new Map<number, number>();
  for (const to of remapping.coordinates.slice(0, moved)) {
    const above = to[row - 1] ?? 0;
    counts.set(above, (counts.get(above) ?? 0) + 1);
  }
  return counts;
}

interface Place {
  readonly place: number;
  readonly least: number;
  readonly length: number;
}

/** The new coordinates that run down, and those that run across, the slowest first. */
function axesOf({ targets }: RemappingView): readonly [readonly Place[], readonly Place[]] {
  const first = targets[0]?.dimension;
  const places = targets.map(({ least, length }, place) => ({ place, least, length }));
  return [
    places.filter(({ place }) => targets[place]?.dimension === first),
    places.filter(({ place }) => targets[place]?.dimension !== first),
  ];
}

const folded = (axis: readonly Place[], to: readonly number[]): number =>
  axis.reduce((sum, { place, least, length }) => sum * length + (to[place] ?? 0) - least, 0);

const sizeOf = (axis: readonly Place[]): number => axis.reduce((product, { length }) => product * length, 1);

function labelsOf(axis: readonly Place[]): readonly string[] {
  return axis.reduce<readonly string[]>(
    (labels, { least, length }) =>
      labels.flatMap((label) =>
        Array.from(
          { length },
          (_, step) => `${label}${label === '' ? '' : ','}${String(least + step).replace('-', '−')}`,
        ),
      ),
    [''],
  );
}
