/** What may come next, arranged for reading: pure functions over the service's answer. */
import type { CandidateView, LegalCommandView, LegalView } from '../../api/types';
import { scheduleRows } from '../../schedule/schedule-lines';
import type { RowChange } from '../../schedule/schedule-lines';

export interface CandidateGroup {
  readonly name: string;
  readonly legal: readonly CandidateView[];
  readonly refused: readonly CandidateView[];
  /** So many candidates of the command, about any loop, are not listed yet. */
  readonly leftOut: number;
}

/** The candidates of each command that name `variable` (null: all). Commands without any are left out. */
export function groupsAbout(commands: readonly LegalCommandView[], variable: string | null): CandidateGroup[] {
  return commands.flatMap(({ name, candidates, left_out: leftOut }) => {
    const about = candidates.filter((one) => variable === null || one.variables.includes(variable));
    if (about.length === 0 && leftOut === 0) return [];
    const legal = about.filter((one) => one.why_not === null);
    return [{ name, legal, refused: about.filter((one) => one.why_not !== null), leftOut }];
  });
}

/** Every loop that a candidate names, in the order of the nest. */
export function variablesOf(commands: readonly LegalCommandView[], nest: readonly string[]): string[] {
  const named = new Set(commands.flatMap(({ candidates }) => candidates.flatMap(({ variables }) => variables)));
  return [...named].sort((one, other) => nest.indexOf(one) - nest.indexOf(other));
}

/** The reason without the command before it, which stands next to it. */
export function reasonOf(candidate: CandidateView): string {
  const message = candidate.why_not?.message ?? '';
  const prefix = `\`${candidate.text}\`: `;
  return message.startsWith(prefix) ? message.slice(prefix.length) : message;
}

/** Inserts a command where the answer says it may stand: after the commands that apply. */
export function insertion(schedule: string, view: LegalView, command: string): RowChange {
  const row = scheduleRows(schedule).find(({ index }) => index === view.applied);
  return { kind: 'insert', before: row?.line ?? null, command };
}

const squeezed = (text: string): string => text.replace(/\s+/g, '');

/** A new row for `name` that applies: the page's own draft when it is legal, else what the service advises. */
export function legalDraft(name: string, draft: string, view: LegalView): string {
  const candidates = view.commands.find((one) => one.name === name)?.candidates ?? [];
  const mine = candidates.find(({ text }) => squeezed(text) === squeezed(draft));
  if (mine !== undefined) return mine.why_not === null ? mine.text : (mine.instead ?? draft);
  return candidates.find(({ why_not }) => why_not === null)?.text ?? draft;
}
