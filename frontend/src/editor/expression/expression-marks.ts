/** Tensors and index variables of an expression: a name before a parenthesis is a tensor, names inside are variables. */
import type { EditorView } from '@codemirror/view';
import { linkId } from '../../state/links';
import { knowledgeField } from '../knowledge';
import type { EditorMark } from '../link-decorations';

/** The marks of a whole editor; an expression is one line. */
export function marksOfExpression({ state }: EditorView): EditorMark[] {
  const tensors = state.field(knowledgeField).result?.tensors ?? [];
  return expressionMarks(state.doc.toString(), new Set(tensors.map(({ name }) => name)));
}

export function expressionMarks(text: string, tensors: ReadonlySet<string> = new Set()): EditorMark[] {
  const marks: EditorMark[] = [];
  const inside: boolean[] = [];
  for (const match of text.matchAll(/[A-Za-z_]\w*(?=(\s*\()?)|[()]|\d+(?:\.\d+)?/g)) {
    const [word, call] = match;
    const range = { from: match.index, to: match.index + word.length };
    if (word === '(') inside.push(/\w\s*$/.test(text.slice(0, match.index)));
    else if (word === ')') inside.pop();
    else if (/^\d/.test(word)) marks.push({ ...range, ids: [], className: 'cm-number' });
    else if (call === undefined && inside.at(-1)) {
      marks.push({ ...range, ids: [linkId.variable(word)], className: 'cm-variable' });
    } else if (call !== undefined || tensors.has(word)) {
      marks.push({ ...range, ids: [linkId.tensor(word)], className: 'cm-tensor' });
    }
  }
  return marks;
}
