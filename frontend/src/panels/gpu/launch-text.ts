import type { LaunchView } from '../../api/types';

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** The threads of a block: `256 threads: 8 warps of 32 lanes`. */
export function threadsText({ threads, warps, lanes }: LaunchView): string {
  const all = counted(threads, 'thread');
  return warps === 0 ? all : `${all}: ${counted(warps, 'warp')} of ${counted(lanes, 'lane')}`;
}

/** All launches in one line. */
export function launchesText(launches: readonly LaunchView[]): string {
  const each = launches.map((launch) => `${launch.name} (${threadsText(launch)} in a block)`);
  return `${counted(launches.length, 'launch').replace('launchs', 'launches')}: ${each.join(', then ')}`;
}
