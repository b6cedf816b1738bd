/** Work by block, warp and lane (docs/sources.toml V15), from what the checked interpreter counted. */
import type { LaunchView, LaunchWorkView } from '../../api/types';

export interface Warp {
  readonly block: number;
  /** Its number in the block. */
  readonly warp: number;
  /** Points that each lane computed. */
  readonly lanes: readonly number[];
  readonly total: number;
  /** The work of its busiest lane: the other lanes wait for that one. */
  readonly longest: number;
}

export interface LaneLoad {
  readonly warps: readonly Warp[];
  readonly lanes: number;
  /** Lanes that computed anything. */
  readonly busy: number;
  readonly total: number;
  readonly max: number;
  readonly mean: number;
  /** 1 − mean / max over all lanes of all blocks. */
  readonly idle: number;
  /** Within warps that have work: the share of lanes × turns in which a lane waits for the busiest lane of its warp. */
  readonly divergence: number;
}

/** One row of the picture: a warp, or neighbouring warps that computed nothing. */
export type WarpRow =
  | { readonly kind: 'warp'; readonly warp: Warp }
  | { readonly kind: 'idle'; readonly first: Warp; readonly last: Warp; readonly count: number };

export function laneLoad(work: LaunchWorkView): LaneLoad {
  const warps = work.blocks.flatMap(({ block, work: threads }) =>
    Array.from({ length: Math.ceil(threads.length / work.warp_size) }, (_, warp): Warp => {
      const lanes = threads.slice(warp * work.warp_size, (warp + 1) * work.warp_size);
      return { block, warp, lanes, total: lanes.reduce((sum, one) => sum + one, 0), longest: Math.max(...lanes) };
    }),
  );
  const lanes = warps.reduce((sum, warp) => sum + warp.lanes.length, 0);
  const total = warps.reduce((sum, warp) => sum + warp.total, 0);
  const max = Math.max(0, ...warps.map(({ longest }) => longest));
  const mean = lanes > 0 ? total / lanes : 0;
  const turns = warps.reduce((sum, warp) => sum + warp.longest * warp.lanes.length, 0);
  return {
    warps,
    lanes,
    busy: warps.reduce((sum, warp) => sum + warp.lanes.filter((one) => one > 0).length, 0),
    total,
    max,
    mean,
    idle: max > 0 ? 1 - mean / max : 0,
    divergence: turns > 0 ? 1 - total / turns : 0,
  };
}

/** Two idle warps or more that follow each other become one row: a small example leaves most of a GPU without work. */
export function warpRows(warps: readonly Warp[]): WarpRow[] {
  const rows: WarpRow[] = [];
  for (const warp of warps) {
    const before = rows.at(-1);
    if (warp.total > 0 || before === undefined) rows.push({ kind: 'warp', warp });
    else if (before.kind === 'idle') rows[rows.length - 1] = { ...before, last: warp, count: before.count + 1 };
    else if (before.warp.total === 0)
      rows[rows.length - 1] = { kind: 'idle', first: before.warp, last: warp, count: 2 };
    else rows.push({ kind: 'warp', warp });
  }
  return rows;
}

export type LaunchLoop = LaunchView['loops'][number];
export type Unit = LaunchLoop['unit'];

export function loopsOn(launch: LaunchView, unit: Unit): LaunchLoop[] {
  return launch.loops.filter((loop) => loop.unit === unit);
}

export interface ThreadPlace {
  readonly block: number;
  /** Its number in the block. */
  readonly thread: number;
}

/** The thread of a step of the trace; null for a step of the host or of another launch. */
export function threadOf(
  launch: LaunchView,
  warpSize: number,
  worker: Readonly<Record<string, number>>,
): ThreadPlace | null {
  const first = (unit: Unit): number | undefined =>
    loopsOn(launch, unit)
      .map(({ name }) => worker[name])
      .find((value) => value !== undefined);
  const block = first('GPUBlock');
  if (block === undefined) return null;
  const [warp, lane] = [first('GPUWarp'), first('GPUThread') ?? 0];
  return { block, thread: warp === undefined ? lane : warp * warpSize + lane };
}
