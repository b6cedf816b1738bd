import { describe, expect, it } from 'vitest';
import type { TraceTensorView, TraceView } from '../../api/types';
import { DEFAULT_DRAFT } from '../../plan/plan';
import { commandPairs, sameOperands, settingsOf, workRows } from './differences';

describe('what two plans differ in', () => {
  it('names only what differs, with defaults written out', () => {
    const other = { ...DEFAULT_DRAFT, tensors: {}, threads: 2, inputs: { A: { generator: 'rmat', seed: 7 } } };
    expect(settingsOf(DEFAULT_DRAFT, other)).toEqual([
      { name: 'Format of A', left: 'csr', right: 'dense' },
      { name: 'Data of A', left: 'bcsstk13', right: 'rmat, seed 7' },
      { name: 'Threads', left: 'all the machine has', right: '2' },
    ]);
    expect(settingsOf(DEFAULT_DRAFT, { ...DEFAULT_DRAFT, schedule: '' })).toEqual([]);
    expect(settingsOf({ ...DEFAULT_DRAFT, version: 1 }, DEFAULT_DRAFT)).toEqual([
      { name: 'Default loop order', left: 'of version 1', right: 'of version 2' },
    ]);
  });

  it('sets command beside command, white space aside, and numbers those of the plan on the page', () => {
    const left = { ...DEFAULT_DRAFT, schedule: 'split(i,i0,i1,32)\nunroll(i1, 4)' };
    const right = { ...DEFAULT_DRAFT, schedule: '# a note\nsplit(i, i0, i1, 32)\nparallelize(i0, CPUThread, NoRaces)' };
    expect(commandPairs(left, right)).toEqual([
      { left: 'split(i,i0,i1,32)', right: 'split(i, i0, i1, 32)', command: 0, same: true },
      { left: 'unroll(i1, 4)', right: 'parallelize(i0, CPUThread, NoRaces)', command: 1, same: false },
    ]);
    expect(commandPairs(left, { ...left, schedule: 'split(i,i0,i1,32)' })[1]).toEqual({
      left: 'unroll(i1, 4)',
      right: null,
      command: null,
      same: false,
    });
  });
});

const tensor = (part: Partial<TraceTensorView>): TraceTensorView => ({
  tensor: 'A',
  origin: 'example',
  shape: [2, 2],
  nonzeros: 2,
  arrays: { A_vals: [5, 7] },
  coordinates: [
    [0, 1],
    [1, 0],
  ],
  ...part,
});
const trace = (part: Partial<TraceView>): TraceView =>
  ({ ok: true, steps: [], visits: 4, loads: 9, stores: 2, atomics: 0, tensors: [tensor({})], ...part }) as TraceView;

describe('what two kernels do', () => {
  it('counts side by side, and says nothing of a run that failed', () => {
    const rows = workRows(trace({}), trace({ ok: false }));
    expect(rows.find(({ name }) => name === 'loads')).toEqual({ name: 'loads', left: 9, right: null });
  });

  it('knows the same operands in another format', () => {
    const columns = tensor({
      arrays: { A_vals: [0, 7, 5, 0] },
      coordinates: [
        [0, 0],
        [1, 0],
        [0, 1],
        [1, 1],
      ],
    });
    expect(sameOperands(trace({}), trace({ tensors: [columns] }))).toBe(true);
    const other = tensor({ arrays: { A_vals: [5, 8] } });
    expect(sameOperands(trace({}), trace({ tensors: [other] }))).toBe(false);
    expect(sameOperands(trace({}), trace({ tensors: [tensor({ shape: [2, 3] })] }))).toBe(false);
    expect(sameOperands(trace({}), trace({ tensors: [] }))).toBe(false);
  });
});
