import { describe, expect, it } from 'vitest';
import type { TraceTensorView, TraceView } from '../../api/types';
import { beforeUnits, factsOf, framePlans, sameResult, unmappedPlan } from './frames';
import type { Frame } from './frames';

const result = (values: number[], coordinates: number[]): TraceTensorView => ({
  tensor: 'y',
  origin: 'result',
  shape: [4],
  nonzeros: values.length,
  arrays: { y_vals: values },
  coordinates: coordinates.map((one) => [one]),
});
const trace = (tensor: TraceTensorView, part: Partial<TraceView> = {}): TraceView => ({
  hash: '',
  ok: true,
  diagnostics: [],
  tensors: [tensor],
  parameters: {},
  steps: [],
  visits: 7,
  loads: 21,
  stores: 4,
  atomics: 0,
  merges: [],
  launches: [],
  ...part,
});

describe('the frames of a schedule', () => {
  it('are its beginnings, from none to all', () => {
    const plan = { version: 1, expression: 'y = x', schedule: ['a()', 'b()'], inputs: { x: { seed: 1 } } };
    expect(framePlans(plan)).toEqual([
      { version: 1, expression: 'y = x' },
      { version: 1, expression: 'y = x', schedule: ['a()'] },
      { version: 1, expression: 'y = x', schedule: ['a()', 'b()'] },
    ]);
  });

  it('are shown without units, on the CPU, where a GPU has none of them yet', () => {
    const split = 'split(i, block, thread, 4)';
    const block = 'parallelize( block, GPUBlock, NoRaces)';
    const plan = { version: 2, expression: 'y(i) = x(i)', target: 'opencl' as const, schedule: [split, block] };
    expect(unmappedPlan(plan)).toEqual({ version: 2, expression: 'y(i) = x(i)', schedule: [split] });
    expect(unmappedPlan({ ...plan, schedule: [block] })).toEqual({ version: 2, expression: 'y(i) = x(i)' });
    expect(unmappedPlan({ ...plan, target: 'c' })).toBeNull();
    expect([0, 1, 2].map((count) => beforeUnits(plan.schedule, count))).toEqual([true, true, false]);
    // A schedule that names no unit gets one by itself: nothing comes before it.
    expect(beforeUnits([split], 0)).toBe(false);
  });

  it('have the same result in any order of storage, up to rounding', () => {
    const first = trace(result([1, 2], [0, 3]));
    expect(sameResult(first, trace(result([2, 1 + 1e-13], [3, 0])))).toBe(true);
    expect(sameResult(first, trace(result([1, 2, 0], [0, 3, 1])))).toBe(true);
    expect(sameResult(first, trace(result([1, 3], [0, 3])))).toBe(false);
    // Every position counts, not only the last.
    expect(sameResult(first, trace(result([5, 2], [0, 3])))).toBe(false);
    expect(sameResult(first, trace(result([1], [0]), { ok: false }))).toBeNull();
  });

  it('count what the kernel does, and by how much that changed', () => {
    const frame = (count: number, part: Partial<TraceView>): Frame => ({
      count,
      command: null,
      view: null,
      trace: trace(result([1], [0]), part),
      problem: null,
      preview: null,
    });
    const facts = factsOf(frame(1, { atomics: 3, loads: 25 }), frame(0, {}));
    expect(facts.map(({ name, value, change }) => [name, value, change])).toEqual([
      ['statements', 0, 0],
      ['points computed', 7, 0],
      ['loads', 25, 4],
      ['stores', 4, 0],
      ['atomics', 3, 3],
    ]);
    expect(factsOf(frame(0, {}), undefined).map(({ name }) => name)).not.toContain('atomics');
  });
});
