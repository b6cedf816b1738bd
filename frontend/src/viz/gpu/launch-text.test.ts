import { describe, expect, it } from 'vitest';
import { launchedText, launchesText } from './launch-text';

const SHAPE = { threads: 256, warps: 8, lanes: 32, shared_bytes: 0 };

describe('the launches of a run', () => {
  it('say grid, block and memory, and registers and occupancy where the device tells them', () => {
    const launch = { ...SHAPE, kernel: 'kernel_1', blocks: 3, registers: null, occupancy: null };
    expect(launchedText(launch)).toBe('kernel_1: 3 blocks of 256 threads: 8 warps of 32 lanes, no shared memory');
    expect(launchedText({ ...launch, blocks: 1, shared_bytes: 2048, registers: 64, occupancy: 0.5 })).toBe(
      'kernel_1: 1 block of 256 threads: 8 warps of 32 lanes, 2,048 bytes of shared memory, 64 registers per thread, occupancy 50 % (model)',
    );
  });

  it('say how wide indices are, and why', () => {
    const launch = { ...SHAPE, kernel: 'kernel_1', blocks: 3, registers: null, occupancy: null };
    const text = 'kernel_1: 3 blocks of 256 threads: 8 warps of 32 lanes, no shared memory';
    expect(launchedText({ ...launch, index_bits: 32, beyond: null })).toBe(`${text}, 32-bit indices`);
    expect(launchedText({ ...launch, index_bits: 64, beyond: 'i * n could be 3,000,000,000' })).toBe(
      `${text}, 64-bit indices (i * n could be 3,000,000,000)`,
    );
  });
});

describe('the launches of a kernel', () => {
  it('are counted', () => {
    const launch = { ...SHAPE, warps: 0, lanes: 256, name: 'kernel_1', grid: 'n', loops: [], command: null };
    expect(launchesText([launch, { ...launch, name: 'kernel_2' }])).toBe(
      '2 launches: kernel_1 (256 threads per block), then kernel_2 (256 threads per block)',
    );
  });
});
