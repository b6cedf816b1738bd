import { describe, expect, it } from 'vitest';
import type { CompileView, TraceView } from '../../api/types';
import { mttkrp, spmm, spmv, traced } from '../fixtures/compiled';
import { powerLawMatrix, scatteredMatrix, sparseCube } from './samples';
import { tileNeeds, tilesShow } from './tile-needs';
import { tileSized } from './tile-sized';

describe('samples', () => {
  it('are the same each time, and of the size that they say', () => {
    expect(powerLawMatrix(30, 30)).toEqual(powerLawMatrix(30, 30));
    const counts = powerLawMatrix(30, 30).map((row) => row.filter(Boolean).length);
    expect(Math.max(...counts)).toBe(24);
    expect(Math.min(...counts)).toBe(0);
    expect(sparseCube(8, 40).flat(2).filter(Boolean)).toHaveLength(40);
    expect(scatteredMatrix(64, 6).map((row) => row.length)).toEqual(Array.from({ length: 64 }, () => 64));
  });
});

describe('data sized for the tiles of a schedule', () => {
  it('needs as many nonzeros as fill two tiles of positions and a part of a third', () => {
    expect([...tileNeeds(spmv).nonzeros]).toEqual([['A', 64 * 2 + 16]]);
    const sized = tileSized(spmv);
    const matrix = sized?.operands.A as number[][];
    expect(matrix.flat().filter(Boolean)).toHaveLength(144);
    expect([matrix.length, matrix[0]?.length]).toEqual(sized?.shape);
    expect(sized?.operands.x).toHaveLength(matrix[0]?.length ?? 0);
    expect(tileSized(spmv)).toEqual(sized);
  });

  it('counts rows, columns and the longest row where each of them is cut', () => {
    const needs = tileNeeds(spmm);
    expect([...needs.coordinates]).toEqual([
      ['i', 16 * 2 + 4],
      ['k', 32 * 2 + 8],
    ]);
    expect([...needs.segments]).toEqual([['A', 8 * 2 + 2]]);
  });

  it('is none where nothing is cut, and where a run would be too long to follow', () => {
    expect(tileSized(mttkrp)).toBeNull();
    const large = {
      ...spmv,
      commands: spmv.commands.map((one) =>
        one.name === 'split' ? { ...one, arguments: [...one.arguments.slice(0, -1), '4096'] } : one,
      ),
    };
    expect(tileSized(large)).toBeNull();
  });

  it('has tiles to show; the example of 4 × 6 has them for tiles of four, not for tiles of 64', () => {
    const { result, trace } = traced.balanced;
    expect(tilesShow(result, trace)).toBe(true);
    expect(tilesShow(spmv, trace)).toBe(false);
    const sized = tileSized(spmv);
    const matrix = sized?.operands.A as number[][];
    const coordinates = matrix.flatMap((row, i) => row.flatMap((value, j) => (value === 0 ? [] : [[i, j]])));
    const tensors = trace.tensors.map((tensor) =>
      tensor.tensor === 'A'
        ? { ...tensor, shape: [...(sized?.shape ?? [])], nonzeros: coordinates.length, coordinates }
        : tensor,
    );
    expect(tilesShow(spmv, { ...trace, tensors } as TraceView)).toBe(true);
  });

  it('multiplies tiles that are cut again', () => {
    const split = (parent: string, command: number) => ({
      kind: 'split',
      command,
      parents: [parent],
      children: [`${parent}0`, `${parent}1`],
      bounds: [],
      recover: [],
      workspace: null,
    });
    const result = {
      ...spmv,
      variables: [{ ...spmv.variables[0], name: 'i', underived: true }],
      commands: [
        ['i', 'i0', 'i1', '8'],
        ['i0', 'i00', 'i01', '4'],
      ].map((parts) => ({ arguments: parts })),
      provenance: { variables: [], text: '', relations: [split('i', 0), split('i0', 1)] },
    } as unknown as CompileView;
    // i0 runs over 4 · 2 + 1 tiles of 8 rows, and a part of one more.
    expect([...tileNeeds(result).coordinates]).toEqual([['i', 8 * 9 + 2]]);
    expect([...tileNeeds(result, false).coordinates]).toEqual([['i', 8 * 4 + 1]]);
  });
});
