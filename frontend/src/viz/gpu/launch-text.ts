import type { LaunchView, RunLaunch } from '../../api/types';
import { counted } from '../../text/quantities';

/** The threads of a block: `256 threads: 8 warps of 32 lanes`. */
export function threadsText({ threads, warps, lanes }: Pick<LaunchView, 'threads' | 'warps' | 'lanes'>): string {
  const all = counted(threads, 'thread');
  return warps === 0 ? all : `${all}: ${counted(warps, 'warp')} of ${counted(lanes, 'lane')}`;
}

/** One launch of a run: `kernel_1: 3 blocks of 32 threads, no shared memory`. */
export function launchedText(launch: RunLaunch): string {
  const { kernel, blocks, shared_bytes, registers, occupancy, index_bits, beyond } = launch;
  const shared =
    shared_bytes === 0 ? 'no shared memory' : `${shared_bytes.toLocaleString('en')} bytes of shared memory`;
  const facts = [
    `${kernel}: ${counted(blocks, 'block')} of ${threadsText(launch)}`,
    shared,
    registers === null ? null : `${counted(registers, 'register')} per thread`,
    occupancy === null ? null : `occupancy ${(100 * occupancy).toFixed(0)} % (model)`,
    index_bits === undefined ? null : `${index_bits}-bit indices${beyond ? ` (${beyond})` : ''}`,
  ];
  return facts.filter((fact) => fact !== null).join(', ');
}

/** All launches in one line. */
export function launchesText(launches: readonly LaunchView[]): string {
  const each = launches.map((launch) => `${launch.name} (${threadsText(launch)} per block)`);
  return `${counted(launches.length, 'launch', 'launches')}: ${each.join(', then ')}`;
}
