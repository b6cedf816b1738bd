import { describe, expect, it } from 'vitest';
import type { LaunchView, LaunchWorkView, MemoryAccessView } from '../../api/types';
import { byTraffic, coalescing, contention } from './memory';
import { laneLoad, threadOf, warpRows } from './warps';

const access = (part: Partial<MemoryAccessView>): MemoryAccessView => ({
  array: 'A_vals',
  tensor: 'A',
  level: null,
  kind: 'load',
  line: 1,
  c_line: null,
  accesses: 8,
  requests: 2,
  sectors: 8,
  fewest: 2,
  collisions: 0,
  ...part,
});

/** Two blocks of three warps of four lanes. */
const WORK: LaunchWorkView = {
  launch: 0,
  warp_size: 4,
  blocks: [
    { block: 0, work: [2, 0, 3, 2, 0, 0, 0, 0, 0, 0, 0, 0] },
    { block: 1, work: [0, 0, 0, 0, 1, 1, 1, 1, 0, 0, 0, 0] },
  ],
  memory: [access({}), access({ array: 'y_vals', kind: 'atomic', accesses: 5, collisions: 3, sectors: 9 })],
};

const LAUNCH: LaunchView = {
  name: 'kernel_1',
  grid: '2',
  threads: 12,
  warps: 3,
  lanes: 4,
  shared_bytes: 0,
  loops: [
    { name: 'b', unit: 'GPUBlock', variable: 'b' },
    { name: 'w', unit: 'GPUWarp', variable: 'w' },
    { name: 't', unit: 'GPUThread', variable: 'j' },
  ],
  command: 0,
};

describe('the load of the lanes', () => {
  it('adds up, and says how many lanes wait', () => {
    const load = laneLoad(WORK);
    expect([load.lanes, load.busy, load.total, load.max]).toEqual([24, 7, 11, 3]);
    expect(load.idle).toBeCloseTo(1 - 11 / 24 / 3);
    // The busy warps take 3 and 1 turns of 4 lanes each.
    expect(load.divergence).toBeCloseTo(1 - 11 / 16);
    expect(load.warps.map(({ block, warp, longest }) => [block, warp, longest])).toEqual([
      [0, 0, 3],
      [0, 1, 0],
      [0, 2, 0],
      [1, 0, 0],
      [1, 1, 1],
      [1, 2, 0],
    ]);
  });

  it('puts neighbouring idle warps into one row', () => {
    const rows = warpRows(laneLoad(WORK).warps);
    expect(rows.map((row) => (row.kind === 'warp' ? row.warp.total : -row.count))).toEqual([7, -3, 4, 0]);
  });

  it('counts the last, shorter warp of a block', () => {
    const short = laneLoad({ ...WORK, blocks: [{ block: 0, work: [1, 1, 1, 1, 1, 0] }] });
    expect(short.warps.map(({ lanes }) => lanes.length)).toEqual([4, 2]);
  });

  it('is empty without blocks', () => {
    expect(laneLoad({ ...WORK, blocks: [] })).toMatchObject({ lanes: 0, idle: 0, divergence: 0 });
  });
});

describe('the thread of a step', () => {
  it('is found by its loops', () => {
    expect(threadOf(LAUNCH, 4, { b: 1, w: 2, t: 3 })).toEqual({ block: 1, thread: 11 });
    expect(threadOf(LAUNCH, 4, { b: 1, t: 9 })).toEqual({ block: 1, thread: 9 });
    expect(threadOf(LAUNCH, 4, { b: 1 })).toEqual({ block: 1, thread: 0 });
    expect(threadOf(LAUNCH, 4, { part: 1, lane: 2 })).toBeNull();
  });
});

describe('memory', () => {
  it('is efficient where each request touches as few sectors as it can', () => {
    expect(coalescing(access({}))).toEqual({ efficiency: 0.25, perRequest: 4 });
    expect(coalescing(access({ sectors: 0, fewest: 0, requests: 0 }))).toEqual({ efficiency: 1, perRequest: 0 });
  });

  it('is listed by its traffic', () => {
    expect(byTraffic(WORK.memory).map(({ array }) => array)).toEqual(['y_vals', 'A_vals']);
  });

  it('knows the atomics that wait for each other', () => {
    expect(contention([WORK, WORK], 'y_vals')).toEqual({ atomics: 10, waiting: 6 });
    expect(contention([WORK], 'A_vals')).toEqual({ atomics: 0, waiting: 0 });
  });
});
