/**
 * The schedule's text as rows, and every change of a row as a change of the text: the text is the only truth.
 *
 * A disabled command is a comment (`# split(i, i0, i1, 32)`): the plan leaves it out, the text and the address keep it.
 */
import { diffLines } from '../text/line-diff';
import { commentStart, parseLine } from './schedule-syntax';

export interface ScheduleRow {
  /** 0-based line of the text. */
  readonly line: number;
  readonly kind: 'command' | 'disabled' | 'note';
  /** 0-based number of the command among those in force; null for disabled commands and notes. */
  readonly index: number | null;
  /** The command without its comment; for a note the words of the comment. */
  readonly text: string;
  /** The parts of a tensor that the command is for, `A[*]`, or nothing. */
  readonly selector: string;
  readonly name: string;
  readonly arguments: readonly string[];
  /** The comment after the command, with its mark, or nothing. */
  readonly remark: string;
}

const COMMENT = /^\s*(?:#|\/\/)\s*/;
/** A comment is a disabled command when it begins like one; anything else is a note. */
const COMMAND_LIKE = /^(?:[A-Za-z_]\w*\s*\[[^\]]*\]\s*:\s*)?[A-Za-z_]\w*\s*\(/;

export function scheduleRows(text: string): ScheduleRow[] {
  const rows: ScheduleRow[] = [];
  let index = 0;
  text.split('\n').forEach((content, line) => {
    if (content.trim() === '') return;
    const comment = COMMENT.exec(content);
    if (comment === null) rows.push({ ...parts(content), line, kind: 'command', index: index++ });
    else {
      const inside = content.slice(comment[0].length);
      if (COMMAND_LIKE.test(inside)) rows.push({ ...parts(inside), line, kind: 'disabled', index: null });
      else
        rows.push({ line, kind: 'note', index: null, text: inside, selector: '', name: '', arguments: [], remark: '' });
    }
  });
  return rows;
}

/** Whether the text holds more than the plan keeps. */
export function hasComments(text: string): boolean {
  return text.split('\n').some((line) => commentStart(line) < line.length);
}

function parts(content: string): Pick<ScheduleRow, 'text' | 'selector' | 'name' | 'arguments' | 'remark'> {
  const end = commentStart(content);
  const command = parseLine(content, 0, 0);
  const given = command?.arguments.map((token) => token.text) ?? [];
  return {
    text: content.slice(0, end).trim(),
    selector: command?.selector?.text ?? '',
    name: command?.name?.text ?? '',
    arguments: given.length === 1 && given[0] === '' ? [] : given,
    remark: content.slice(end).trim(),
  };
}

/** `name(argument, …)`, with the parts that it is for in front of it; empty arguments at the end are left out. */
export function printCommand(name: string, given: readonly string[], selector = ''): string {
  const last = given.findLastIndex((argument) => argument !== '');
  return `${selector === '' ? '' : `${selector}: `}${name}(${given.slice(0, last + 1).join(', ')})`;
}

export type RowChange =
  | { readonly kind: 'write'; readonly line: number; readonly command: string }
  /** `before` is the line that the new one pushes down; null appends. */
  | { readonly kind: 'insert'; readonly before: number | null; readonly command: string }
  | { readonly kind: 'remove'; readonly line: number }
  | { readonly kind: 'duplicate'; readonly line: number }
  | { readonly kind: 'toggle'; readonly line: number }
  /** Moves a row to the place of another: rows between them make room. */
  | { readonly kind: 'move'; readonly line: number; readonly to: number }
  /** Disables every command after the first `count`. */
  | { readonly kind: 'fold'; readonly count: number };

/** The text after the change. Lines that the change does not mean stay as they are, blank ones and notes too. */
export function changeRow(text: string, change: RowChange): string {
  const lines = text === '' ? [] : text.split('\n');
  switch (change.kind) {
    case 'write': {
      const row = scheduleRows(text).find(({ line }) => line === change.line);
      const mark = row?.kind === 'disabled' ? '# ' : '';
      const remark = row?.remark ? ` ${row.remark}` : '';
      return lines.with(change.line, mark + change.command + remark).join('\n');
    }
    case 'insert':
      return change.before === null
        ? [...withoutBlankEnd(lines), change.command].join('\n')
        : lines.toSpliced(change.before, 0, change.command).join('\n');
    case 'remove':
      return lines.toSpliced(change.line, 1).join('\n');
    case 'duplicate':
      return lines.toSpliced(change.line + 1, 0, lines[change.line] ?? '').join('\n');
    case 'toggle':
      return lines.with(change.line, toggled(lines[change.line] ?? '')).join('\n');
    case 'move': {
      const moved = lines[change.line] ?? '';
      return lines.toSpliced(change.line, 1).toSpliced(change.to, 0, moved).join('\n');
    }
    case 'fold':
      for (const { line, index } of scheduleRows(text)) {
        if (index !== null && index >= change.count) lines[line] = toggled(lines[line] ?? '');
      }
      return lines.join('\n');
    default:
      throw new Error(`unexpected change ${JSON.stringify(change satisfies never)}`);
  }
}

function toggled(line: string): string {
  return COMMENT.test(line) ? line.replace(COMMENT, '') : `# ${line.trim()}`;
}

function withoutBlankEnd(lines: readonly string[]): readonly string[] {
  return lines.slice(0, lines.findLastIndex((line) => line.trim() !== '') + 1);
}

/** The text with other commands in force, for a repair that names only these: comments stay next to their neighbours. */
export function withCommands(text: string, commands: readonly string[]): string {
  const lines = text.split('\n');
  const before = scheduleRows(text).filter(({ kind }) => kind === 'command');
  const difference = diffLines(before.map((row) => row.text).join('\n'), commands.join('\n'));
  const result: string[] = [];
  let next = 0;
  let line = 0;
  for (const { text: command, mark } of difference) {
    if (command === '') continue;
    if (mark === 'added') {
      result.push(command);
      continue;
    }
    const place = before[next++]?.line ?? lines.length;
    result.push(...lines.slice(line, mark === 'same' ? place + 1 : place));
    line = place + 1;
  }
  return [...result, ...lines.slice(line)].filter((one, index, all) => one !== '' || index < all.length - 1).join('\n');
}
