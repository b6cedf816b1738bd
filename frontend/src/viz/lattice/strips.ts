/** The merge of one variable along the coordinates: what each operand stores, where its cursor is, what was done. */
import type { CompileView, LatticeView, MergeStepView, TraceView } from '../../api/types';

export interface Strip {
  readonly operand: string;
  readonly tensor: string;
  readonly level: number;
  /** Stored coordinates of the segment that is merged now, with their positions. */
  readonly cells: readonly { readonly coordinate: number; readonly position: number }[];
  /** The position that the cursor is on; null when the segment is used up. */
  readonly position: number | null;
}

export interface Visited {
  readonly coordinate: number;
  /** The point that was active; null when nothing was computed. */
  readonly active: readonly string[] | null;
}

export interface Strips {
  readonly size: number;
  readonly coordinate: number | null;
  readonly strips: readonly Strip[];
  /** What the merge did so far, the current coordinate last. */
  readonly visited: readonly Visited[];
}

type Cursor = MergeStepView['cursors'][number];
export type ValueAt = (index: number) => ReadonlyMap<string, unknown>;

/** The iterations of one variable's merge, in the order of the run. */
export const mergesOf = (trace: TraceView, variable: string): MergeStepView[] =>
  trace.merges.filter((merge) => merge.variable === variable);

/** The index in `merges` of the iteration that the step `index` belongs to; -1 before the first. */
export function mergeAt(merges: readonly MergeStepView[], index: number): number {
  return merges.findLastIndex((merge) => merge.step <= index);
}

export function stripsAt(
  result: CompileView,
  trace: TraceView,
  lattice: LatticeView,
  merges: readonly MergeStepView[],
  at: number,
  valuesAt: ValueAt,
): Strips {
  const now = merges[at];
  const first = now === undefined ? 0 : startOf(trace, merges, at);
  const instance = now === undefined ? [] : merges.slice(first, at + 1);
  const strips = lattice.operands.map((operand): Strip => {
    const cursor = now?.cursors.find((one) => one.operand === operand.access) ?? null;
    const known =
      cursor ?? instance.flatMap((merge) => merge.cursors).findLast((one) => one.operand === operand.access);
    const cells = known === undefined ? [] : cellsOf(trace, known);
    return {
      operand: operand.access,
      tensor: operand.tensor,
      level: operand.level,
      cells,
      position: cursor?.position ?? null,
    };
  });
  const visited = instance.flatMap((merge): Visited[] => {
    const coordinate = coordinateOf(trace, merge, valuesAt);
    return coordinate === null ? [] : [{ coordinate, active: merge.active }];
  });
  return {
    size: sizeOf(result, trace, lattice),
    coordinate: visited.at(-1)?.coordinate ?? null,
    strips,
    visited,
  };
}

/** The coordinate that one iteration merges: the smallest under a cursor, or the counter where all are visited. */
export function coordinateOf(trace: TraceView, merge: MergeStepView, valuesAt: ValueAt): number | null {
  if (merge.loop.includes(`all ${merge.variable}`)) {
    const value = valuesAt(merge.step).get(merge.variable);
    return typeof value === 'number' ? value : null;
  }
  const under = merge.cursors.flatMap((cursor) => {
    const value = coordinates(trace, cursor)[cursor.position];
    return typeof value === 'number' ? [value] : [];
  });
  return under.length === 0 ? null : Math.min(...under);
}

const coordinates = (trace: TraceView, cursor: Cursor): readonly unknown[] =>
  arrayOf(trace, cursor.tensor, `${cursor.tensor}${cursor.level}_crd`);

function arrayOf(trace: TraceView, tensor: string, name: string): readonly unknown[] {
  return trace.tensors.find((one) => one.tensor === tensor)?.arrays[name] ?? [];
}

/** The first iteration of the same merge: its cursors walk in the same segments as those of `at`. */
function startOf(trace: TraceView, merges: readonly MergeStepView[], at: number): number {
  let first = at;
  while (first > 0 && sameMerge(trace, merges[first - 1], merges[first])) first -= 1;
  return first;
}

function sameMerge(trace: TraceView, before: MergeStepView | undefined, after: MergeStepView | undefined): boolean {
  if (before === undefined || after === undefined) return false;
  if (after.cursors.length === 0)
    return !after.loop.every((name) => before.loop.includes(name)) || before.cursors.length === 0;
  return after.cursors.every((cursor) => {
    const old = before.cursors.find((one) => one.operand === cursor.operand);
    return old !== undefined && old.end === cursor.end && segmentOf(trace, old)[0] === segmentOf(trace, cursor)[0];
  });
}

/** The positions [begin, end) among which a cursor walks: those of its parent. */
function segmentOf(trace: TraceView, cursor: Cursor): readonly [number, number] {
  const pos = arrayOf(trace, cursor.tensor, `${cursor.tensor}${cursor.level}_pos`).map(Number);
  const parent = pos.findLastIndex((begin) => begin <= cursor.position);
  const begin = parent < 0 ? 0 : (pos[parent] ?? 0);
  return [begin, cursor.end];
}

function cellsOf(trace: TraceView, cursor: Cursor): { coordinate: number; position: number }[] {
  const [begin, end] = segmentOf(trace, cursor);
  return coordinates(trace, cursor)
    .slice(begin, end)
    .flatMap((coordinate, index) => (typeof coordinate === 'number' ? [{ coordinate, position: begin + index }] : []));
}

/** How many coordinates the variable has in the traced data. */
function sizeOf(result: CompileView, trace: TraceView, lattice: LatticeView): number {
  for (const { tensor, level } of lattice.operands) {
    const dimension = result.tensors.find((one) => one.name === tensor)?.levels[level - 1]?.dimension;
    const size = trace.tensors.find((one) => one.tensor === tensor)?.shape[dimension ?? -1];
    if (size !== undefined) return size;
  }
  return 0;
}
