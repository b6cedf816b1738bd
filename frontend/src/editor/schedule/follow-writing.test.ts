import { EditorState } from '@codemirror/state';
import { describe, expect, it } from 'vitest';
import type { DiagnosticView } from '../../api/types';
import { withoutWriting } from '../../state/editing/writing';
import { commandBeingWritten } from './follow-writing';

const at = (text: string): EditorState => {
  const head = text.indexOf('|');
  return EditorState.create({ doc: text.replace('|', ''), selection: { anchor: head } });
};

const about = (command: number | null): DiagnosticView => ({
  code: 'schedule/x',
  severity: 'error',
  message: '',
  location: { part: command === null ? 'format' : 'schedule', start: 0, end: 1, command, tensor: null, path: null },
  expected: null,
  found: null,
  candidates: [],
  hint: null,
  evidence: [],
  fixes: [],
});

describe('the command that is being written', () => {
  it.each([
    ['s|', 0],
    ['split(i, i0, i1, 32)\n# a note\npar|', 1],
    ['split(i, i|, i1, 32)', 0],
  ])('is the one at whose word the person types: %s', (text, command) => {
    expect(commandBeingWritten(at(text), true)).toBe(command);
  });

  it.each(['split(i, i0, i1, 32)|', 'split(i,|', '|split(i, i0, i1, 32)', ''])('is none behind a sign: %s', (text) => {
    expect(commandBeingWritten(at(`${text}${text.includes('|') ? '' : '|'}`), true)).toBeNull();
  });

  it('is none when nothing was typed for a while', () => {
    expect(commandBeingWritten(at('split|'), false)).toBeNull();
  });

  it('keeps only its own errors back', () => {
    const all = [about(0), about(1), about(null)];
    expect(withoutWriting(all, 1)).toEqual([about(0), about(null)]);
    expect(withoutWriting(all, null)).toBe(all);
  });
});
