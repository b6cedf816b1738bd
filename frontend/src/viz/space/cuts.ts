/** Cuts of a tensor into tiles: equal area by coordinates, or equal work by positions (docs/sources.toml V5). */

/** A cut by the coordinates of one dimension, by the positions of the first level, or by those of the values. */
export type Cut =
  | { readonly kind: 'coordinate'; readonly dimension: number }
  | { readonly kind: 'row-position' }
  | { readonly kind: 'nonzero-position' };

export interface Tile {
  readonly number: number;
  /** Indices of its nonzeros, in storage order. */
  readonly members: readonly number[];
}

export interface Tiling {
  readonly tiles: readonly Tile[];
  /** The tile of each nonzero, in storage order. */
  readonly tileOf: readonly number[];
  readonly max: number;
  readonly mean: number;
  /** First-dimension coordinates whose nonzeros are split across tiles: their sums need an atomic or a merge. */
  readonly straddling: readonly number[];
}

/** The extent that `cut` divides: how many coordinates, rows that are stored, or nonzeros. */
export function extentOf(
  coordinates: readonly (readonly number[])[],
  shape: readonly number[],
  rowsStored: 'all' | 'nonempty',
  cut: Cut,
): number {
  switch (cut.kind) {
    case 'coordinate':
      return shape[cut.dimension] ?? 0;
    case 'row-position':
      return rowsStored === 'all' ? (shape[0] ?? 0) : new Set(coordinates.map(([row]) => row)).size;
    case 'nonzero-position':
      return coordinates.length;
  }
}

/**
 * `coordinates` are those of the nonzeros in storage order, `size` is the tile's extent (at least 1). A first level
 * that is dense stores a position for all rows, any other only for those that are not empty.
 */
export function tilingOf(
  coordinates: readonly (readonly number[])[],
  shape: readonly number[],
  rowsStored: 'all' | 'nonempty',
  cut: Cut,
  size: number,
): Tiling {
  const places = placesOf(coordinates, rowsStored, cut);
  const tileOf = places.map((place) => Math.floor(place / size));
  const count = Math.ceil(extentOf(coordinates, shape, rowsStored, cut) / size);
  const members: number[][] = Array.from({ length: count }, () => []);
  tileOf.forEach((tile, index) => members[tile]?.push(index));
  const tilesOfRow = new Map<number, Set<number>>();
  coordinates.forEach(([row = 0], index) =>
    tilesOfRow.set(row, (tilesOfRow.get(row) ?? new Set()).add(tileOf[index] ?? 0)),
  );
  return {
    tiles: members.map((own, number) => ({ number, members: own })),
    tileOf,
    max: Math.max(0, ...members.map((own) => own.length)),
    mean: count > 0 ? coordinates.length / count : 0,
    straddling: [...tilesOfRow]
      .filter(([, tiles]) => tiles.size > 1)
      .map(([row]) => row)
      .sort((one, other) => one - other),
  };
}

/** Where each nonzero lies along the extent that is cut. */
function placesOf(
  coordinates: readonly (readonly number[])[],
  rowsStored: 'all' | 'nonempty',
  cut: Cut,
): readonly number[] {
  switch (cut.kind) {
    case 'coordinate':
      return coordinates.map((at) => at[cut.dimension] ?? 0);
    case 'row-position': {
      const rows = coordinates.map(([row = 0]) => row);
      if (rowsStored === 'all') return rows;
      const positions = new Map([...new Set(rows)].map((row, position) => [row, position]));
      return rows.map((row) => positions.get(row) ?? 0);
    }
    case 'nonzero-position':
      return coordinates.map((_, position) => position);
  }
}

export interface Bar {
  /** First and last tile that the bar stands for. */
  readonly from: number;
  readonly to: number;
  /** Nonzeros of the fullest of them. */
  readonly most: number;
}

/** At most `bars` bars; a bar for several tiles shows the fullest of them. */
export function histogramOf(loads: readonly number[], bars: number): Bar[] {
  const each = Math.max(1, Math.ceil(loads.length / bars));
  return Array.from({ length: Math.ceil(loads.length / each) }, (_, number) => {
    const own = loads.slice(number * each, (number + 1) * each);
    return { from: number * each, to: number * each + own.length - 1, most: Math.max(...own) };
  });
}
