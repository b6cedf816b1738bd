/** Hover help in the schedule: what a command does, where a variable comes from. */
import { hoverTooltip } from '@codemirror/view';
import type { CommandSpecView, VariableView } from '../../api/types';
import { knowledgeField } from '../knowledge';
import { identifiersOf, parseLine } from '../../schedule/schedule-syntax';

export const scheduleHover = hoverTooltip((view, position) => {
  const line = view.state.doc.lineAt(position);
  const command = parseLine(line.text, line.from, 0);
  if (command === null) return null;
  const words = [...(command.name ? [command.name] : []), ...command.arguments.flatMap(identifiersOf)];
  const word = words.find(({ from, to }) => from <= position && position <= to);
  if (word === undefined) return null;
  const { commands, result } = view.state.field(knowledgeField);
  const spec = word === command.name ? commands.find(({ name }) => name === word.text) : undefined;
  const variable = result?.variables.find(({ name }) => name === word.text);
  const lines = spec ? describeCommand(spec) : variable ? describeVariable(variable) : null;
  if (lines === null) return null;
  return { pos: word.from, end: word.to, above: true, create: () => ({ dom: card(lines) }) };
});

type Line = readonly [className: string, text: string];

export function describeCommand(spec: CommandSpecView): Line[] {
  return [
    ['help-title', spec.signature],
    ['help-text', spec.summary],
    ...(spec.before ? ([['help-code', `before\n${spec.before}`]] as const) : []),
    ...(spec.after ? ([['help-code', `after\n${spec.after}`]] as const) : []),
    ...spec.preconditions.map((text) => ['help-text', `Needs: ${text}`] as const),
  ];
}

export function describeVariable(variable: VariableView): Line[] {
  const kind = variable.underived ? 'index variable of the expression' : `derived ${variable.space} variable`;
  return [
    ['help-title', variable.name],
    ['help-text', `${kind}${variable.reduction ? ', reduced' : ''}${variable.loop ? '' : ', replaced by others'}`],
    ['help-code', variable.bounds],
    ...(variable.recovery ? ([['help-code', variable.recovery]] as const) : []),
    ...(variable.unit ? ([['help-text', `${variable.unit}, ${variable.race ?? ''}`]] as const) : []),
  ];
}

function card(lines: readonly Line[]): HTMLElement {
  const dom = document.createElement('div');
  dom.className = 'help-card';
  for (const [className, text] of lines) {
    const part = dom.appendChild(document.createElement('div'));
    part.className = className;
    part.textContent = text;
  }
  return dom;
}
