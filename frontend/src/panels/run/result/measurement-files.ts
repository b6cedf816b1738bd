/** A measurement as files that stand alone: every sample with its unit, what was measured, on what, and its identity. */
import type { RunResult, RunView } from '../../../api/types';
import { describeMachine } from '../machines/describe-machine';

export type MeasuredRun = RunView & { readonly result: RunResult };

/** The run as the service stores it, with the address at which it is found. */
export function measurementJson(run: MeasuredRun, address: string): string {
  const { id, plan, plan_hash, measured_by, created, result } = run;
  return `${JSON.stringify({ address, run: id, measured_by, created, plan_hash, plan, result }, null, 2)}\n`;
}

/** One line for each contender in each round; what the table is about stands above it, behind #. */
export function measurementCsv(run: MeasuredRun, address: string): string {
  const { result } = run;
  const about = [
    ['address', address],
    ['run', run.measured_by ?? run.id],
    ['date', result.date],
    ['plan', run.plan_hash],
    ['machine', describeMachine(result.machine)],
    ['compiler flags', result.machine.compiler_flags ?? ''],
    ...result.inputs.map(({ tensor, source, sha256 }) => [`input ${tensor}`, `${source}, sha256 ${sha256}`]),
  ].filter(([, text]) => text !== '');
  const rows = result.entries.flatMap(({ id, threads, samples_ns, flagged }) => {
    const disturbed = new Set(flagged ?? []);
    return samples_ns.map((nanoseconds, round) =>
      [id, threads ?? '', round, nanoseconds, disturbed.has(round) ? 1 : 0].map(cell).join(','),
    );
  });
  const lines = [...about.map(([name, text]) => `# ${name}: ${text}`), 'contender,threads,round,nanoseconds,disturbed'];
  return `${[...lines, ...rows].join('\r\n')}\r\n`;
}

/** How to cite the measurement: when, where it is found, and on what it was taken. */
export function measurementBibtex(run: MeasuredRun, address: string): string {
  const { result, plan, plan_hash } = run;
  const id = run.measured_by ?? run.id;
  const day = result.date.slice(0, 10);
  return [
    `@misc{heddle-run-${id},`,
    `  title  = {{Heddle} measurement: \\texttt{${escaped(plan.expression)}}},`,
    '  author = {{The Heddle authors}},',
    `  year   = {${day.slice(0, 4)}},`,
    `  url    = {${address.replaceAll(/[{}\\]/g, encodeURIComponent)}},`,
    `  note   = {Run ${id} of ${day}, plan ${plan_hash}, on ${escaped(describeMachine(result.machine))}}`,
    '}',
    '',
  ].join('\n');
}

const cell = (value: string | number): string => {
  const text = String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

const escaped = (text: string): string =>
  text
    .replaceAll(/[#$%&_{}]/g, (sign) => `\\${sign}`)
    .replaceAll('^', '\\textasciicircum{}')
    .replaceAll('~', '\\textasciitilde{}');
