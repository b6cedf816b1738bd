/** Small operands that a person can choose for a trace, the same each time. */

/** Numbers in [0, 1) from a seed (Park and Miller 1988). */
export function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48271) % 2147483647;
    return state / 2147483647;
  };
}

/** `rows` × `columns`; row r has about columns / (r + 1)^0.9 nonzeros, in an order that is shuffled. */
export function powerLawMatrix(rows: number, columns: number): number[][] {
  const next = randomNumbers(17);
  const order = shuffled(rows, next);
  return order.map((rank) => {
    // The last rows are empty.
    const filled = rank > rows * 0.9 ? 0 : Math.max(1, Math.round((columns * 0.8) / (rank + 1) ** 0.9));
    const chosen = new Set(shuffled(columns, next).slice(0, filled));
    return Array.from({ length: columns }, (_, column) => (chosen.has(column) ? 1 + Math.floor(next() * 9) : 0));
  });
}

/** A cube of order 3 with `nonzeros` nonzeros. */
export function sparseCube(size: number, nonzeros: number): number[][][] {
  const next = randomNumbers(23);
  const chosen = new Set(shuffled(size ** 3, next).slice(0, nonzeros));
  const each = Array.from({ length: size }, (_, index) => index);
  return each.map((i) =>
    each.map((j) => each.map((k) => (chosen.has((i * size + j) * size + k) ? 1 + Math.floor(next() * 9) : 0))),
  );
}

/** `size` × `size` with about `perRow` nonzeros in a row, anywhere. */
export function scatteredMatrix(size: number, perRow: number): number[][] {
  const next = randomNumbers(5);
  return Array.from({ length: size }, () =>
    Array.from({ length: size }, () => (next() < perRow / size ? 1 + Math.floor(next() * 9) : 0)),
  );
}

export function shuffled(count: number, next: () => number): number[] {
  const all = Array.from({ length: count }, (_, index) => index);
  for (let at = count - 1; at > 0; at -= 1) {
    const other = Math.floor(next() * (at + 1));
    [all[at], all[other]] = [all[other] ?? 0, all[at] ?? 0];
  }
  return all;
}
