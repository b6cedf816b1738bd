/** What a run found, and how far it can be believed, in words. The service decides what follows; this only says it. */
import type { EntryView, RunResult } from '../../../api/types';
import {
  counted,
  formatDate,
  formatInterval,
  formatNanoseconds,
  formatShare,
  threeDigits,
} from '../../../text/quantities';

type Control = NonNullable<RunResult['control']>;
type Spread = NonNullable<RunResult['machine']['waking_ns']>[string];

/** The first of these that was timed stands beside Heddle in the verdict: what most people would compare with. */
const BESIDE: readonly EntryView['id'][] = [
  'scipy',
  'numpy',
  'mkl',
  'cusparse',
  'torch',
  'pyg',
  'notation',
  'unscheduled',
];

/** `Heddle 34.8 µs, SciPy 533 µs`. */
export function timesInWords(entries: readonly EntryView[]): string {
  const timed = entries.filter(({ median_ns: median }) => median !== null);
  const ours = timed.find(({ id }) => id === 'heddle');
  const beside = BESIDE.map((id) => timed.find((entry) => entry.id === id)).find((entry) => entry !== undefined);
  return [ours, beside]
    .flatMap((entry) => (entry === undefined ? [] : [`${entry.label} ${formatNanoseconds(entry.median_ns ?? 0)}`]))
    .join(', ');
}

/** What ran a kernel that is made for GPUs: `On pthread-AMD EPYC (Portable Computing Language).`; empty for others. */
export function deviceInWords(entries: readonly EntryView[]): string {
  const note = entries.find(({ id }) => id === 'heddle')?.note ?? '';
  const on = /^On [^;]+/.exec(note)?.[0];
  return on === undefined ? '' : `${on}.`;
}

const MINUTE_MS = 60_000;
const HOURS_MIN = 120;
const DAYS_MIN = 48 * 60;

/** `measured 38 min ago on this machine`, of an ISO date; clocks that do not agree are not shown as the future. */
export function ageInWords(date: string, now: number): string {
  const minutes = Math.floor((now - new Date(date).getTime()) / MINUTE_MS);
  if (Number.isNaN(minutes)) return `measured ${date} on this machine`;
  const ago =
    minutes < 1
      ? 'less than a minute'
      : minutes < HOURS_MIN
        ? `${minutes} min`
        : minutes < DAYS_MIN
          ? `${Math.floor(minutes / 60)} h`
          : `${Math.floor(minutes / (24 * 60))} days`;
  return `measured ${ago} ago on this machine`;
}

/** Where a contender did not have its cores: `MKL did not have its cores in 12 of 40 rounds`; empty where it always had. */
export function flagsInWords({ flagged, label }: EntryView, rounds: number | null): string {
  if (flagged === undefined || flagged.length === 0) return '';
  const of = rounds === null ? counted(flagged.length, 'round') : `${flagged.length} of ${counted(rounds, 'round')}`;
  return `${label} did not have its cores in ${of}`;
}

/** How many rounds were timed; null in results that do not say it. */
export function roundsOf({ load, protocol }: Pick<RunResult, 'load' | 'protocol'>): number | null {
  if (load !== undefined && load !== null) return load.rounds;
  return typeof protocol.rounds === 'number' ? protocol.rounds : null;
}

const ratioInWords = ({ value, low, high }: Control): string =>
  `${value.toFixed(3)} (${low.toFixed(3)} – ${high.toFixed(3)})`;

/** How far the protocol can be believed on this machine. */
export function describeControl(control: Control): string {
  return `the same kernel timed twice has the ratio ${ratioInWords(control)}; differences below ${formatShare(control.resolution)} are inconclusive`;
}

/** The A/A control of each contender that has one. */
export function controlsInWords(entries: readonly EntryView[]): string {
  const said = entries.flatMap(({ label, control, median_ns: median }) =>
    median === null || control === undefined || control === null ? [] : [`${label} ${ratioInWords(control)}`],
  );
  return said.length === 0 ? '' : `Each timed as two contenders has the ratio: ${said.join('; ')}.`;
}

/** What the system said during the rounds; empty where it said nothing. */
export function loadInWords(load: RunResult['load']): string {
  if (load === undefined || load === null) return '';
  const { involuntary, pressure, steal, region_ns: region } = load;
  const said = [
    involuntary === null ? null : `took threads of this run off their cores ${counted(involuntary, 'time')}`,
    pressure === null ? null : `had somebody wait for a core in ${formatShare(pressure)} of the time`,
    steal === null ? null : `lost its processors to other virtual machines in ${formatShare(steal)} of the time`,
  ].filter((part) => part !== null);
  const empty =
    region === null
      ? ''
      : `An empty parallel region took ${formatNanoseconds(region.median)} (${formatInterval(region.low, region.high)}). `;
  return `${empty}${said.length === 0 ? '' : `Meanwhile the system ${said.join(', ')}.`}`.trim();
}

/** `27.1 GB/s (26.0 – 28.2, 5 quiet moments)`: a fact of the machine, never of one run. */
function spreadInWords(spread: Spread, show: (value: number) => string, interval: string): string {
  return `${show(spread.median)} (${interval}, ${counted(spread.times, 'quiet moment')})`;
}

/** What waking the threads of a run takes on its machine; empty where nobody has measured it. */
export function wakingInWords({ machine, threads }: Pick<RunResult, 'machine' | 'threads'>): string {
  const waking = machine.waking_ns?.[String(threads)];
  if (waking === undefined) return '';
  const interval = formatInterval(waking.low, waking.high);
  return `waking ${counted(threads, 'thread')} takes ${spreadInWords(waking, formatNanoseconds, interval)}`;
}

/** The STREAM triad bandwidth with as many threads as the run had; empty where it was not measured. */
export function streamInWords({ machine, threads }: Pick<RunResult, 'machine' | 'threads'>): string {
  const key = String(threads);
  const [spread, plain] = [machine.stream_triad?.[key], machine.stream_triad_gbps[key]];
  const show = (value: number): string => `${threeDigits(value)} GB/s`;
  if (spread !== undefined) {
    const interval = `${threeDigits(spread.low)} – ${threeDigits(spread.high)}`;
    return `measured STREAM triad ${spreadInWords(spread, show, interval)}`;
  }
  return plain === undefined ? '' : `measured STREAM triad ${show(plain)}`;
}

/** When the result was measured, and how. */
export function protocolInWords(result: RunResult, stored: boolean): string {
  const { date, protocol, threads } = result;
  const rounds = roundsOf(result);
  const brief = protocol.brief === true ? ' (brief ones, because other runs were waiting)' : '';
  const inRounds = rounds === null ? '' : `, ${rounds} rounds in random order${brief}`;
  return `${stored ? 'Stored result of' : 'Measured'} ${formatDate(date)} with ${counted(threads, 'thread')}${inRounds}; intervals are of the median, 95 %.`;
}

/** By which rules the service judged. */
export function describeJudgement({ judged_by: rules }: Pick<RunResult, 'judged_by'>): string {
  return rules === undefined ? '' : `Judged by rules ${rules}. `;
}

/** What newer rules say of a stored result, which keeps what was said by those of its day; empty where these hold. */
export function describeRejudgement({ judged_by: rules, rejudgement }: RunResult): string {
  if (rules === undefined || rejudgement === undefined) return '';
  const { judged_by: newer, conclusion } = rejudgement;
  return `Judged by rules ${rules} when it was measured. Rules ${newer}, of today, say: ${conclusion.headline}`;
}
