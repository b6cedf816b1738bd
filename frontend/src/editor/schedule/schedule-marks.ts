/** What each word of the schedule is, from the commands of the service and the last compile. */
import type { EditorView } from '@codemirror/view';
import { linkId } from '../../state/links';
import type { EditorMark } from '../link-decorations';
import { knowledgeField } from '../knowledge';
import type { Knowledge } from '../knowledge';
import { commentStart, identifiersOf, parseLine } from '../../schedule/schedule-syntax';
import type { CommandLine, Token } from '../../schedule/schedule-syntax';

export function scheduleMarks({ state }: EditorView, from: number, to: number): EditorMark[] {
  const { doc } = state;
  const knowledge = state.field(knowledgeField);
  const first = doc.lineAt(from);
  let index = 0;
  for (let number = 1; number < first.number; number++) if (parseLine(doc.line(number).text, 0, 0)) index++;
  const marks: EditorMark[] = [];
  for (let line = first; ; line = doc.line(line.number + 1)) {
    const command = parseLine(line.text, line.from, index);
    if (command !== null) {
      marks.push({
        from: line.from,
        to: line.from,
        ids: [linkId.command(index)],
        className: 'cm-command-line',
        line: true,
      });
      marks.push(...commandMarks(command, knowledge));
      index++;
    }
    const comment = line.from + commentStart(line.text);
    if (comment < line.to) marks.push({ from: comment, to: line.to, ids: [], className: 'cm-comment' });
    if (line.to >= to || line.number === doc.lines) return marks;
  }
}

export function commandMarks(command: CommandLine, { commands, result }: Knowledge): EditorMark[] {
  const marks: EditorMark[] = [];
  const spec = commands.find(({ name }) => name === command.name?.text);
  if (command.selector) {
    const tensor = identifiersOf(command.selector)[0];
    const ids = tensor ? [linkId.tensor(tensor.text)] : [];
    marks.push({ ...extent(command.selector), ids, className: 'cm-tensor' });
  }
  if (command.name) {
    const known = spec !== undefined || commands.length === 0;
    const className = known ? 'cm-command' : 'cm-unknown';
    marks.push({ ...extent(command.name), ids: [linkId.command(command.index)], className });
  }
  const variables = new Set(result?.variables.map(({ name }) => name) ?? []);
  const tensors = new Set(result?.tensors.map(({ name }) => name) ?? []);
  command.arguments.forEach((argument, position) => {
    const kind = spec?.parameters[position]?.kind ?? spec?.parameters.at(-1)?.kind;
    if (/^\d+$/.test(argument.text)) marks.push({ ...extent(argument), ids: [], className: 'cm-number' });
    for (const word of identifiersOf(argument)) {
      if (kind === 'enumeration') marks.push({ ...extent(word), ids: [], className: 'cm-choice' });
      else if (tensors.has(word.text) && kind !== 'new-variable' && !variables.has(word.text)) {
        marks.push({ ...extent(word), ids: [linkId.tensor(word.text)], className: 'cm-tensor' });
      } else marks.push({ ...extent(word), ids: [linkId.variable(word.text)], className: 'cm-variable' });
    }
  });
  return marks;
}

const extent = ({ from, to }: Token): { from: number; to: number } => ({ from, to });
