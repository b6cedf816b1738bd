/** The lines that a cut draws over the grid of a matrix. */
import type { Cut, Tiling } from './cuts';
import type { Frame } from './frame';

/**
 * One path. Coordinates and whole rows are cut straight; nonzeros in steps, since a line lies before the first nonzero
 * of a tile in the order of storage. `rowMajor`: rows are stored one after the other, else columns.
 */
export function cutLines(
  frame: Frame,
  coordinates: readonly (readonly number[])[],
  tiling: Tiling,
  cut: Cut,
  size: number,
  rowMajor: boolean,
): string {
  const { left, top, cell, rows, columns } = frame;
  const [right, bottom] = [left + columns * cell, top + rows * cell];
  if (cut.kind === 'coordinate') {
    const count = cut.dimension === 0 ? rows : columns;
    return Array.from({ length: Math.ceil(count / size) - 1 }, (_, tile) => (tile + 1) * size * cell)
      .map((at) => (cut.dimension === 0 ? `M${left} ${top + at}H${right}` : `M${left + at} ${top}V${bottom}`))
      .join('');
  }
  return tiling.tiles
    .slice(1)
    .map(({ members: [first] }) => coordinates[first ?? -1])
    .map((at) => {
      if (at === undefined) return '';
      const [x, y] = [left + (at[1] ?? 0) * cell, top + (at[0] ?? 0) * cell];
      if (cut.kind === 'row-position') return rowMajor ? `M${left} ${y}H${right}` : `M${x} ${top}V${bottom}`;
      return rowMajor ? `M${right} ${y}H${x}V${y + cell}H${left}` : `M${x} ${bottom}V${y}H${x + cell}V${top}`;
    })
    .join('');
}
