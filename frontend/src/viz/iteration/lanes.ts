/**
 * Lanes, as on a metro map: every access keeps its own lane. At a node that it visits the lane runs through the
 * node; at a node that it skips it runs next to it. Lanes are ordered so that they cross as little as possible.
 */
import type { Access } from './visits';

/** What happens at one node, each list from left to right (indices of accesses). */
export interface LaneRow {
  readonly left: readonly number[];
  readonly through: readonly number[];
  readonly right: readonly number[];
}

export interface Lanes {
  /** By variable. */
  readonly rows: ReadonlyMap<string, LaneRow>;
}

export function arrangeLanes(accesses: readonly Access[]): Lanes {
  let order = accesses.map((_, index) => index);
  let best = rate(order, accesses);
  let improved = true;
  while (improved) {
    improved = false;
    for (const moved of [...order]) {
      for (let place = 0; place < order.length; place += 1) {
        const candidate = order.filter((one) => one !== moved);
        candidate.splice(place, 0, moved);
        const cost = rate(candidate, accesses);
        if (cost < best) {
          best = cost;
          order = candidate;
          improved = true;
        }
      }
    }
  }
  return { rows: rowsOf(order, accesses) };
}

/** Crossings count most; then lanes on the side of the notes; then a stray from the order of the expression. */
function rate(order: readonly number[], accesses: readonly Access[]): number {
  const rows = rowsOf(order, accesses);
  let crossings = 0;
  let right = 0;
  const links = new Set<string>();
  for (const { leaf } of accesses) {
    leaf.chain.forEach((variable, row) => {
      const next = leaf.chain[row + 1];
      if (next === undefined || links.has(`${variable} ${next}`)) return;
      links.add(`${variable} ${next}`);
      crossings += inversions(flat(rows.get(variable)), flat(rows.get(next)));
    });
    for (const row of rows.values()) right += row.right.length;
  }
  for (const leaf of new Set(accesses.map((access) => access.leaf))) {
    const tokens = accesses
      .filter((access) => access.leaf === leaf && access.at)
      .sort((one, other) => (one.at?.start ?? 0) - (other.at?.start ?? 0))
      .map((access) => access.index);
    crossings += inversions(flat(rows.get(leaf.chain.at(-1) ?? '')), tokens);
  }
  return (
    crossings * 1000 +
    right * 10 +
    inversions(
      order,
      [...order].sort((one, other) => one - other),
    )
  );
}

const flat = (row: LaneRow | undefined): number[] => (row ? [...row.left, ...row.through, ...row.right] : []);

/** Pairs that stand in one order above and in the other below. */
function inversions(above: readonly number[], below: readonly number[]): number {
  const common = above.filter((one) => below.includes(one));
  let count = 0;
  common.forEach((one, index) => {
    for (const other of common.slice(index + 1)) if (below.indexOf(one) > below.indexOf(other)) count += 1;
  });
  return count;
}

function rowsOf(order: readonly number[], accesses: readonly Access[]): Map<string, LaneRow> {
  const rows = new Map<string, LaneRow>();
  for (const { leaf } of accesses) {
    leaf.chain.forEach((variable, row) => {
      if (rows.has(variable)) return;
      const here = order.filter((index) => accesses[index]?.leaf.chain[row] === variable);
      const visits = (index: number): boolean => accesses[index]?.visits.some((visit) => visit.row === row) ?? false;
      const through = here.filter(visits);
      const passing = here.filter((index) => !visits(index) && isOpen(accesses[index], row));
      const rank = (index: number): number => order.indexOf(index);
      const goesLeft = (index: number): boolean => {
        const before = through.filter((one) => rank(one) < rank(index)).length;
        return before * 2 <= through.length;
      };
      rows.set(variable, {
        left: passing.filter(goesLeft),
        through,
        right: passing.filter((index) => !goesLeft(index)),
      });
    });
  }
  return rows;
}

/** Whether the lane is there at `row`: begun above, and not at its end yet. */
function isOpen(access: Access | undefined, row: number): boolean {
  const first = access?.visits.at(0)?.row;
  const last = access?.visits.at(-1)?.row;
  if (access === undefined || first === undefined || last === undefined) return false;
  return row > first && (row < last || access.at !== null);
}
