import type { WorkerView } from '../../api/types';
import type { Target } from '../../plan/plan';

export const TARGET_TITLES: Readonly<Record<Target, string>> = {
  c: 'CPU (C, OpenMP)',
  cuda: 'GPU (CUDA)',
  opencl: 'OpenCL (GPU or CPU)',
  interpreter: 'Checked interpreter',
};

export interface Alternative {
  readonly target: Target;
  readonly action: string;
}

export interface Lack {
  readonly needs: string;
  /** The targets that execute the same schedule without what is missing. */
  readonly instead: readonly Alternative[];
}

const OPENCL: Alternative = { target: 'opencl', action: 'Run with OpenCL' };
const INTERPRETER: Alternative = { target: 'interpreter', action: 'Run in the checked interpreter' };

/** What the targets need that not every machine has. */
const NEEDS: Readonly<Partial<Record<Target, Lack>>> = {
  cuda: { needs: 'No machine here has an NVIDIA GPU with CuPy', instead: [OPENCL, INTERPRETER] },
  opencl: { needs: 'No machine here has an OpenCL device', instead: [INTERPRETER] },
};

/** Why no connected machine can run `target`, with those of the alternatives that one can; null when one can. */
export function lackOf(target: Target, workers: readonly WorkerView[]): Lack | null {
  const lack = NEEDS[target];
  const usable = workers.filter(({ obstacle }) => obstacle === null);
  // Before any worker is known, one is expected.
  if (lack === undefined || usable.length === 0) return null;
  const offered = new Set(usable.flatMap(({ targets }) => targets));
  return offered.has(target) ? null : { ...lack, instead: lack.instead.filter((one) => offered.has(one.target)) };
}
