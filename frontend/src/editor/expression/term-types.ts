/** What the cursor of a program of patterns is on, with its type, in a line of its own below the text; and under the
 * pointer. */
import type { Extension } from '@codemirror/state';
import { hoverTooltip, showPanel } from '@codemirror/view';
import type { EditorView, Panel } from '@codemirror/view';
import type { CompileView } from '../../api/types';
import { knowledgeField } from '../knowledge';

export interface TypedPart {
  readonly from: number;
  readonly to: number;
  readonly text: string;
  readonly type: string;
}

const MOST = 60;

/** The smallest part of the text around a position that has a type; none where the text was not compiled. */
export function partAt(result: CompileView | null, text: string, position: number): TypedPart | null {
  if (result === null || result.patterns === null || result.plan['expression'] !== text) return null;
  let found: TypedPart | null = null;
  for (const { span, type } of result.patterns.types) {
    const [from = 0, to = 0] = span;
    if (from > position || position > to || (found !== null && to - from >= found.to - found.from)) continue;
    found = { from, to, text: shortened(text.slice(from, to)), type };
  }
  return found;
}

function shortened(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return line.length > MOST ? `${line.slice(0, MOST - 1)}…` : line;
}

function partOf(view: EditorView, position: number): TypedPart | null {
  return partAt(view.state.field(knowledgeField).latest, view.state.doc.toString(), position);
}

function typeLine(view: EditorView): Panel {
  const dom = document.createElement('div');
  dom.className = 'cm-term-type';
  dom.setAttribute('role', 'status');
  dom.setAttribute('aria-label', 'Type under the cursor');
  const say = (): void => {
    const part = partOf(view, view.state.selection.main.head);
    const said = part === null ? 'The type of what the cursor is on stands here.' : `${part.text}: ${part.type}`;
    if (dom.textContent !== said) dom.textContent = said;
  };
  say();
  return { dom, update: say };
}

const typeHover = hoverTooltip((view, position) => {
  const part = partOf(view, position);
  if (part === null) return null;
  const create = () => {
    const dom = document.createElement('div');
    dom.className = 'help-card help-code';
    dom.textContent = `${part.text}: ${part.type}`;
    return { dom };
  };
  return { pos: part.from, end: part.to, above: true, create };
});

export const termTypes: Extension = [showPanel.of(typeLine), typeHover];
