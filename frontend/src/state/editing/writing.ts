/** The command that a person is in the middle of writing: what is wrong with it is not said before it is written. */
import type { DiagnosticView } from '../../api/types';
import { createExternal } from '../external';

/** 0-based number of the command, or null. */
export const createWriting = () => createExternal<number | null>(null);

/** The diagnostics without those about the command that is being written. */
export function withoutWriting(diagnostics: readonly DiagnosticView[], writing: number | null) {
  if (writing === null) return diagnostics;
  return diagnostics.filter(({ location }) => location?.part !== 'schedule' || (location.command ?? 0) !== writing);
}
