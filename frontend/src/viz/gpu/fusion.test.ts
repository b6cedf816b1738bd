import { describe, expect, it } from 'vitest';
import type { FusionView } from '../../api/types';
import { barsOf } from './fusion';

const VIEW: FusionView = {
  ok: true,
  diagnostics: [],
  command: 7,
  schedule: [],
  separate: [
    { name: 'kernel_1', part: 'ell1', grid: 'n', work: [15] },
    { name: 'kernel_2', part: 'ell2', grid: 'm', work: [12, 8] },
    { name: 'kernel_3', part: 'ell4', grid: 'l', work: [] },
  ],
  fused: [{ name: 'kernel_1', part: null, grid: 't_end', work: [15, 12, 8] }],
  cases: [
    { part: 'ell1', first: 0, blocks: 1 },
    { part: 'ell2', first: 1, blocks: 2 },
    { part: 'ell4', first: 3, blocks: 0 },
  ],
  adds_up: true,
};

describe('launches before and after fusion', () => {
  it('have the same blocks, each of its part', () => {
    const { separate, fused } = barsOf(VIEW);
    const blocks = separate.flatMap((bar) => bar.blocks ?? []);
    expect(fused[0]?.blocks).toEqual(blocks);
    expect(blocks.map(({ part }) => part)).toEqual([0, 1, 1]);
  });

  it('are said in words, empty ones too', () => {
    const { separate, fused } = barsOf(VIEW);
    expect(separate.map(({ said }) => said)).toEqual([
      'kernel_1 of ell1: 1 block with 15 points',
      'kernel_2 of ell2: 2 blocks with 12, 8 points',
      'kernel_3 of ell4: 0 blocks',
    ]);
    expect(fused[0]?.said).toBe('kernel_1: 3 blocks with 15, 12, 8 points');
  });

  it('show no blocks where the work was not followed, or there are too many', () => {
    const unknown = { ...VIEW, fused: [{ name: 'kernel_1', part: null, grid: 't_end', work: null }], cases: [] };
    expect(barsOf(unknown).fused[0]?.blocks).toBeNull();
    const many = Array.from({ length: 65 }, () => 1);
    const wide = { ...VIEW, fused: [{ name: 'kernel_1', part: null, grid: 't_end', work: many }] };
    expect(barsOf(wide).fused[0]?.said).toBe('kernel_1: not followed');
  });
});
