/** How well the lanes of a warp share what they read and write (docs/sources.toml V15): sectors of 32 bytes. */
import type { LaunchWorkView, MemoryAccessView } from '../../api/types';

export const SECTOR_BYTES = 32;

export interface Coalescing {
  /** Sectors that would do if the elements of each request lay side by side, over those that were touched; 1 is best. */
  readonly efficiency: number;
  readonly perRequest: number;
}

export function coalescing({ sectors, fewest, requests }: MemoryAccessView): Coalescing {
  return { efficiency: sectors > 0 ? fewest / sectors : 1, perRequest: requests > 0 ? sectors / requests : 0 };
}

/** Accesses that matter most first: by the sectors they touch. */
export function byTraffic(memory: readonly MemoryAccessView[]): MemoryAccessView[] {
  return [...memory].sort((one, other) => other.sectors - one.sectors || one.line - other.line);
}

/** Atomic updates of an array, and those that wait for another lane of their warp at the same element. */
export function contention(
  launches: readonly LaunchWorkView[],
  array: string,
): { readonly atomics: number; readonly waiting: number } {
  const updates = launches
    .flatMap(({ memory }) => memory)
    .filter((access) => access.array === array && access.kind === 'atomic');
  return {
    atomics: updates.reduce((sum, { accesses }) => sum + accesses, 0),
    waiting: updates.reduce((sum, { collisions }) => sum + collisions, 0),
  };
}
