/** Places the diagnostics of a compile in the text of an editor. */
import type { Diagnostic } from '@codemirror/lint';
import type { DiagnosticView } from '../api/types';
import { parseSchedule } from '../schedule/schedule-syntax';

export interface Range {
  readonly from: number;
  readonly to: number;
}

/** The service counts code points, the editor UTF-16 units. */
export function utf16Offset(text: string, codePoints: number): number {
  let units = 0;
  let points = 0;
  for (const character of text) {
    if (points === codePoints) break;
    units += character.length;
    points += 1;
  }
  return units;
}

function within(text: string, start: number, end: number): Range {
  const from = utf16Offset(text, start);
  const to = utf16Offset(text, end);
  // An empty place (the end of the text, say) still needs something to underline.
  if (to > from) return { from, to };
  return from < text.length ? { from, to: from + 1 } : { from: Math.max(0, from - 1), to: from };
}

export function rangeInExpression(diagnostic: DiagnosticView, text: string): Range | null {
  const { location } = diagnostic;
  return location?.part === 'expression' ? within(text, location.start, location.end) : null;
}

/** The offsets of a schedule diagnostic count inside its command; without offsets the whole command is meant. */
export function rangeInSchedule(diagnostic: DiagnosticView, text: string): Range | null {
  const { location } = diagnostic;
  if (location?.part !== 'schedule') return null;
  const command = parseSchedule(text)[location.command ?? 0];
  if (command === undefined) return null;
  if (location.end <= location.start) return { from: command.from, to: command.to };
  const inside = within(text.slice(command.from, command.to), location.start, location.end);
  return { from: command.from + inside.from, to: command.from + inside.to };
}

export function toLint(diagnostic: DiagnosticView, range: Range): Diagnostic {
  const severity = diagnostic.severity === 'note' ? 'info' : diagnostic.severity;
  return { ...range, severity, message: diagnostic.message, source: diagnostic.code };
}
