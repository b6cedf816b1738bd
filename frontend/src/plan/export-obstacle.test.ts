import { expect, it } from 'vitest';
import { exportObstacle } from './export-obstacle';

it('is said before the click where a schedule gives its loops to units that a target lacks', () => {
  expect(exportObstacle('cuda', 'parallelize(i, CPUThread, NoRaces)')).toBe(
    'no CUDA, because the schedule gives loops to the CPU',
  );
  expect(exportObstacle('c', 'parallelize(i, GPUBlock, NoRaces)')).toBe(
    'no C, because the schedule gives loops to a GPU',
  );
  expect(exportObstacle('opencl', 'parallelize(i, GPUBlock, NoRaces)')).toBeNull();
  expect(exportObstacle('cuda', 'split(i, i0, i1, 32)')).toBeNull();
  expect(exportObstacle('bibtex', 'parallelize(i, CPUThread, NoRaces)')).toBeNull();
});
