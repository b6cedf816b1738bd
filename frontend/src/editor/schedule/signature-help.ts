/** While the arguments of a command are typed: which it takes, and which of them comes now. */
import { StateField } from '@codemirror/state';
import type { EditorState } from '@codemirror/state';
import { showTooltip } from '@codemirror/view';
import type { Tooltip } from '@codemirror/view';
import type { CommandSpecView } from '../../api/types';
import { placeAt } from '../../schedule/schedule-syntax';
import { knowledgeField } from '../knowledge';

export interface SignatureHelp {
  readonly command: string;
  readonly parameters: readonly string[];
  /** The parameter at the cursor: the last one may be a list. */
  readonly current: number;
  /** What it is. */
  readonly doc: string;
}

/** Of a cursor that has `before` on its line; null outside of the parentheses of a command. */
export function signatureAt(before: string, commands: readonly CommandSpecView[]): SignatureHelp | null {
  const place = placeAt(before);
  if (place?.kind !== 'argument') return null;
  const spec = commands.find(({ name }) => name === place.command);
  if (spec === undefined || spec.parameters.length === 0) return null;
  const current = Math.min(place.position, spec.parameters.length - 1);
  return {
    command: spec.name,
    parameters: spec.parameters.map(({ name, optional }) => (optional ? `[${name}]` : name)),
    current,
    doc: spec.parameters[current]?.doc ?? '',
  };
}

function tooltipOf(state: EditorState): Tooltip | null {
  const { main } = state.selection;
  if (!main.empty) return null;
  const line = state.doc.lineAt(main.head);
  const help = signatureAt(state.sliceDoc(line.from, main.head), state.field(knowledgeField).commands);
  if (help === null) return null;
  return { pos: line.from, above: true, arrow: false, create: () => ({ dom: card(help) }) };
}

function card({ command, parameters, current, doc }: SignatureHelp): HTMLElement {
  const dom = document.createElement('div');
  dom.className = 'signature-help';
  const code = dom.appendChild(document.createElement('code'));
  code.append(`${command}(`);
  parameters.forEach((parameter, index) => {
    if (index > 0) code.append(', ');
    const part = code.appendChild(document.createElement(index === current ? 'strong' : 'span'));
    part.textContent = parameter;
  });
  code.append(')');
  if (doc !== '') dom.appendChild(document.createElement('span')).textContent = ` ${doc}`;
  return dom;
}

/** Only after something was typed or the cursor was moved: an editor that is merely looked at shows nothing. */
export const signatureHelp = StateField.define<Tooltip | null>({
  create: () => null,
  update: (shown, transaction) => {
    if (transaction.isUserEvent('input') || transaction.isUserEvent('delete')) return tooltipOf(transaction.state);
    if (transaction.docChanged) return null;
    return transaction.selection === undefined || shown === null ? shown : tooltipOf(transaction.state);
  },
  provide: (field) => showTooltip.from(field),
});
