/** What one step of undo changed, in a few words. */
import { commandsOf } from '../../plan/plan';
import type { Draft } from '../../plan/plan';
import { diffLines } from '../../text/line-diff';

export function describeStep(before: Draft, after: Draft): string {
  const parts = [
    before.expression !== after.expression ? `Expression: ${after.expression.trim() || 'emptied'}` : null,
    ...namesOf(before.tensors, after.tensors).map((name) => describeTensor(name, before, after)),
    before.schedule !== after.schedule ? describeSchedule(before.schedule, after.schedule) : null,
    before.target !== after.target ? `Target: ${after.target}` : null,
    ...namesOf(before.inputs, after.inputs).map((name) => `Input of ${name}`),
    before.convert !== after.convert ? `Conversion of operands: ${after.convert}` : null,
    before.threads !== after.threads ? `Threads: ${after.threads ?? 'all the machine has'}` : null,
    before.version !== after.version ? `Default loop order: version ${after.version}` : null,
    before.baselines.join() !== after.baselines.join() ? `Baselines: ${after.baselines.join(', ') || 'none'}` : null,
  ].filter((part) => part !== null);
  // An example or a link changes much at once: its expression says enough.
  if (parts.length > 2) return `Opened ${after.expression}`;
  return parts.join('; ') || 'Changed';
}

/** Names whose entries differ. */
function namesOf(before: Readonly<Record<string, unknown>>, after: Readonly<Record<string, unknown>>): string[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
}

function describeTensor(name: string, before: Draft, after: Draft): string {
  const [old, now] = [before.tensors[name], after.tensors[name]];
  if (old?.format !== now?.format) return `Format of ${name}: ${now?.format ?? 'dense'}`;
  return `Type of ${name}: ${now?.dtype ?? 'float64'}`;
}

function describeSchedule(before: string, after: string): string {
  const difference = diffLines(commandsOf(before).join('\n'), commandsOf(after).join('\n')).filter(
    ({ text }) => text !== '',
  );
  const added = difference.filter(({ mark }) => mark === 'added').map(({ text }) => text);
  const removed = difference.filter(({ mark }) => mark === 'removed').map(({ text }) => text);
  const [more, less] = [added[0], removed[0]];
  if (added.length > 1 || removed.length > 1) return `Schedule: ${added.length} added, ${removed.length} removed`;
  if (more !== undefined && less !== undefined) return more === less ? `Moved ${more}` : `${less} → ${more}`;
  if (more !== undefined) return `Added ${more}`;
  if (less !== undefined) return `${after.includes(less) ? 'Disabled' : 'Removed'} ${less}`;
  return 'Schedule: notes';
}
