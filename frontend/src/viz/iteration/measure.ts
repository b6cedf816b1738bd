/** Sizes of the parts of an iteration graph, before anything has a place. */
import { clip, codeWidth, interfaceWidth } from '../text-width';
import type { VariableView } from '../../api/types';
import type { Spacing } from '../spacing';
import type { LaneRow, Lanes } from './lanes';
import type { Loop } from './tree';
import type { Access } from './visits';

export const LABEL_SIZE = 12;
export const NAME_SIZE = 15;
export const NOTE_SIZE = 12;
export const STATEMENT_SIZE = 13;
export const STATEMENT_LINE = 20;
const NODE_PADDING = 11;
const MARK_ROOM = 5; // the ∩ and Σ marks also stand into the node, next to its name
const MARK_REACH = 11; // the ∩ and Σ marks stand out of the node by this much
const ITERATION_LIMIT = 34;

/** One node with its lanes. All x are relative to the node's centre. */
export interface LoopBox {
  readonly loop: Loop;
  readonly variable: VariableView | undefined;
  readonly halfWidth: number;
  readonly lanes: LaneRow;
  /** x of each lane where it runs through or next to the node, by access. */
  readonly laneX: ReadonlyMap<number, number>;
  /** x of each lane in the band of name labels above the node, by access. */
  readonly labelX: ReadonlyMap<number, number>;
  readonly hasLabels: boolean;
  readonly badges: readonly string[];
  readonly iteration: string;
  /** What is drawn of it. */
  readonly note: string;
  readonly noteX: number;
  readonly left: number;
  readonly right: number;
}

const UNITS: Readonly<Record<string, string>> = {
  CPUThread: 'thread',
  CPUVector: 'vector',
  GPUBlock: 'block',
  GPUWarp: 'warp',
  GPUThread: 'lane',
};
const QUIET_RACES = new Set(['NoRaces', 'IgnoreRaces']);

/** The parallel unit in one word, as on the badges of all diagrams. */
export function unitBadges(variable: VariableView | undefined): string[] {
  const badges: string[] = [];
  if (variable?.unit && variable.unit !== 'NotParallel') badges.push(UNITS[variable.unit] ?? variable.unit);
  if (variable?.race && !QUIET_RACES.has(variable.race)) badges.push(wordsOf(variable.race));
  if (variable?.unroll) badges.push(`unroll ${variable.unroll}`);
  return badges;
}

/** `ParallelReduction` as "parallel reduction". */
const wordsOf = (name: string): string => name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();

export const labelWidth = (access: Access): number => codeWidth(access.path.tensor, LABEL_SIZE) + 16;
export const badgeWidth = (badge: string): number => interfaceWidth(badge, NOTE_SIZE) + 14;

export function measureLoops(
  loops: readonly Loop[],
  accesses: readonly Access[],
  lanes: Lanes,
  variables: readonly VariableView[],
  { halfHeight, laneGap, noteGap, wordy }: Spacing,
): Map<string, LoopBox> {
  const named = new Map(variables.map((variable) => [variable.name, variable]));
  const drafts = loops.map((loop) => {
    const row = lanes.rows.get(loop.node.variable) ?? { left: [], through: [], right: [] };
    const starts = row.through.filter((index) => accesses[index]?.visits[0]?.row === loop.row);
    const reduces = named.get(loop.node.variable)?.reduction ?? false;
    const marks = loop.node.merge !== null || reduces ? MARK_ROOM : 0;
    const halfWidth = Math.max(
      halfHeight,
      interfaceWidth(loop.node.variable, NAME_SIZE) / 2 + NODE_PADDING + marks,
      ((row.through.length - 1) * laneGap) / 2 + NODE_PADDING,
    );
    const pack = packLabels(row.through, starts, accesses, laneGap);
    const reach = Math.max(halfWidth + MARK_REACH, pack.half);
    return { loop, row, hasLabels: starts.length > 0, halfWidth, pack, reach };
  });
  // One distance for all lanes next to nodes, so that they run straight past several nodes.
  const aside = drafts.filter(({ row }) => row.left.length + row.right.length > 0).map(({ reach }) => reach);
  const track = Math.max(0, ...aside) + laneGap;
  // Likewise one left edge for all notes where there is room, clear of the widest node and of all lanes on that side.
  const notes = drafts.map(({ row, halfWidth }) =>
    row.right.length > 0 ? track + (row.right.length - 1) * laneGap : halfWidth + MARK_REACH / 2,
  );
  const aligned = Math.max(0, ...notes) + noteGap;

  const boxes = new Map<string, LoopBox>();
  for (const [index, { loop, row, hasLabels, halfWidth, pack, reach }] of drafts.entries()) {
    const noteX = wordy ? aligned : (notes[index] ?? 0) + noteGap;
    const laneX = new Map<number, number>();
    const labelX = new Map(pack.places);
    row.through.forEach((index, place) => laneX.set(index, (place - (row.through.length - 1) / 2) * laneGap));
    row.left.forEach((index, place) => laneX.set(index, -track - (row.left.length - 1 - place) * laneGap));
    row.right.forEach((index, place) => laneX.set(index, track + place * laneGap));
    for (const index of [...row.left, ...row.right]) labelX.set(index, laneX.get(index) ?? 0);

    const variable = named.get(loop.node.variable);
    const badges = unitBadges(variable);
    const iteration = clip(loop.node.iteration, ITERATION_LIMIT);
    const note = wordy ? iteration : iteration.replace(/^coordinates stored in /, 'stored in ');
    const badgesWidth = badges.reduce((sum, badge) => sum + badgeWidth(badge) + 4, 0);
    boxes.set(loop.node.variable, {
      loop,
      variable,
      halfWidth,
      lanes: row,
      laneX,
      labelX,
      hasLabels,
      badges,
      iteration,
      note,
      noteX,
      left: row.left.length > 0 ? track + (row.left.length - 1) * laneGap + 6 : reach,
      right: Math.max(pack.half, noteX + Math.max(badgesWidth, interfaceWidth(note, NOTE_SIZE))),
    });
  }
  return boxes;
}

/** The band above a node: lanes that come from above and labels of lanes that begin, side by side, centred. */
function packLabels(
  through: readonly number[],
  starts: readonly number[],
  accesses: readonly Access[],
  laneGap: number,
): { places: [number, number][]; half: number } {
  const half = (index: number): number => {
    const access = accesses[index];
    return access && starts.includes(index) ? labelWidth(access) / 2 + 3 : laneGap / 2;
  };
  const places: [number, number][] = [];
  let x = 0;
  for (const index of through) {
    places.push([index, x + half(index)]);
    x += 2 * half(index);
  }
  return { places: places.map(([index, place]) => [index, place - x / 2]), half: x / 2 };
}
