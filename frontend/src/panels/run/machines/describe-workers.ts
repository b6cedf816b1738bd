import { IN_FOLDER } from '../../../api/site';
import type { Spread, WorkerView } from '../../../api/types';
import { TARGET_NAMES, TARGETS } from '../../../plan/targets';
import { counted, formatInterval, formatNanoseconds, threeDigits } from '../../../text/quantities';

/** All workers in one line: how many, and whether one of them is free. */
export function describeWorkers(workers: readonly WorkerView[] | null): string {
  if (workers === null) return IN_FOLDER ? 'runs need a server' : 'asking the service';
  const usable = workers.filter(({ obstacle }) => obstacle === null);
  if (usable.length === 0) return 'no worker takes runs at present; a run waits for one';
  const free = usable.filter(({ busy }) => !busy).length;
  if (usable.length === 1) return free === 1 ? '1 worker, free' : '1 worker, timing a run';
  return `${usable.length} workers, ${free === 0 ? 'all timing runs' : `${free} free`}`;
}

export function describeState({ busy, obstacle }: WorkerView): string {
  if (obstacle !== null) return `Receives no runs. ${obstacle}`;
  return busy ? 'Timing a run' : 'Free';
}

export function describeTargets({ targets }: WorkerView): string {
  const titles = TARGET_NAMES.filter((name) => targets.includes(name)).map((name) => TARGETS[name].title);
  return titles.length === 0 ? 'No target' : titles.join(', ');
}

const CAPABILITIES: Record<string, string> = { opencl: 'OpenCL', gpu: 'CUDA', mkl: 'MKL' };

/** A sentence for each capability that the machine may have and does not offer, since its library failed when asked. */
export function describeFailedProbes({ failed_probes: failures }: WorkerView): string[] {
  return Object.entries(failures).map(
    ([capability, reason]) =>
      `Not offered: ${CAPABILITIES[capability] ?? capability}, whose library ${reason.replace(/\.$/, '')}.`,
  );
}

/** The measured STREAM triad bandwidth with the most threads that it was measured with. */
export function describeStream({ facts }: WorkerView): string {
  const most = ofMostThreads(facts.stream_triad_gbps);
  if (most === null) return 'STREAM triad not measured yet: the first run does it';
  const [threads, rate] = most;
  const spread = facts.stream_triad?.[threads];
  const moments =
    spread === undefined
      ? ''
      : ` (${describeMoments(spread, `${threeDigits(spread.low)} – ${threeDigits(spread.high)} GB/s`)})`;
  return `STREAM triad ${threeDigits(rate)} GB/s${moments} with ${counted(Number(threads), 'thread')}`;
}

/** What waking as many threads takes, in quiet moments; null before there was one. */
export function describeWaking({ facts }: WorkerView): string | null {
  const most = ofMostThreads(facts.waking_ns ?? {});
  if (most === null) return null;
  const [threads, spread] = most;
  const moments = describeMoments(spread, formatInterval(spread.low, spread.high));
  return `waking ${counted(Number(threads), 'thread')} takes ${formatNanoseconds(spread.median)} (${moments})`;
}

/** What as many threads cost a short kernel while other programs keep all cores busy; null before there were enough moments. */
export function describeLoadedWaking({ facts }: WorkerView): string | null {
  const most = ofMostThreads(facts.loaded_waking_ns ?? {});
  if (most === null) return null;
  const [threads, { median, low, high, times }] = most;
  const moments = `${formatInterval(low, high)} in ${counted(times, 'moment')}`;
  return `on a busy machine ${counted(Number(threads), 'thread')} cost a short kernel ${formatNanoseconds(median)} (${moments})`;
}

function ofMostThreads<T>(facts: Record<string, T>): [string, T] | null {
  return Object.entries(facts).sort(([a], [b]) => Number(b) - Number(a))[0] ?? null;
}

function describeMoments({ times }: Spread, interval: string): string {
  if (times === 0) return 'no quiet moment so far: at least that';
  return times === 1 ? '1 quiet moment' : `${interval} in ${counted(times, 'quiet moment')}`;
}
