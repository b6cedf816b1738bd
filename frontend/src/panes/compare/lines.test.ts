import { describe, expect, it } from 'vitest';
import type { CodeView } from '../../api/types';
import { pairLines, sideBySide } from './lines';

const letters = (text: string): string[] => [...text];
const facing = (left: string, right: string): string[] =>
  pairLines(letters(left), letters(right)).map(
    (pair) =>
      `${pair.left === null ? '·' : left[pair.left]}${pair.same ? '=' : '|'}${pair.right === null ? '·' : right[pair.right]}`,
  );

describe('lines that face each other', () => {
  it.each([
    ['abc', 'abc', ['a=a', 'b=b', 'c=c']],
    ['abc', 'axc', ['a=a', 'b|x', 'c=c']],
    ['abc', 'axyc', ['a=a', 'b|x', '·|y', 'c=c']],
    ['abcd', 'ad', ['a=a', 'b|·', 'c|·', 'd=d']],
    ['', 'ab', ['·|a', '·|b']],
    ['ab', '', ['a|·', 'b|·']],
  ])('%s beside %s', (left, right, pairs) => {
    expect(facing(left, right)).toEqual(pairs);
  });

  it('shows every line of both sides exactly once and in order', () => {
    const [left, right] = ['the old kernel text', 'a new kernel, longer text'];
    const pairs = pairLines(letters(left), letters(right));
    expect(pairs.flatMap((pair) => (pair.left === null ? [] : [left[pair.left]])).join('')).toBe(left);
    expect(pairs.flatMap((pair) => (pair.right === null ? [] : [right[pair.right]])).join('')).toBe(right);
    for (const pair of pairs) expect(pair.same).toBe(left[pair.left ?? -1] === right[pair.right ?? -1]);
  });
});

const span = (line: number, command: number): CodeView['spans'][number] => ({
  line,
  column: 0,
  end_column: 3,
  origin: { role: 'bounds', variable: 'i', tensor: null, level: null, command },
});
const code = (text: string, ...spans: CodeView['spans']): CodeView => ({ language: 'c', text, spans, symbols: {} });

describe('two kernels side by side', () => {
  const both = sideBySide(code('for\nold\nend\n', span(2, 0)), code('for\nnew\nmore\nend\n', span(3, 1), span(4, 2)));

  it('pads the shorter side, and keeps the numbers of the real lines', () => {
    expect(both.left.code.text).toBe('for\nold\n\nend');
    expect(both.left.numbers).toEqual([1, 2, null, 3]);
    expect(both.left.marks).toEqual(['same', 'removed', 'same', 'same']);
    expect(both.right.code.text).toBe('for\nnew\nmore\nend');
    expect(both.right.marks).toEqual(['same', 'added', 'added', 'same']);
    expect([both.removed, both.added]).toEqual([1, 2]);
  });

  it('takes no notice of a line that is only indented further', () => {
    const deeper = sideBySide(code('for\n  y += 1;\n'), code('for\n  for\n    y += 1;\n'));
    expect(deeper.right.marks).toEqual(['same', 'added', 'same']);
    expect(deeper.right.code.text).toBe('for\n  for\n    y += 1;');
    expect(deeper.left.numbers).toEqual([1, null, 2]);
  });

  it('puts both into one text with what was removed first', () => {
    expect(both.unified.code.text).toBe('for\nold\nnew\nmore\nend');
    expect(both.unified.marks).toEqual(['same', 'removed', 'added', 'added', 'same']);
    expect(both.unified.numbers).toEqual([1, 2, 2, 3, 4]);
  });

  it('moves the roles with their lines, and links only the commands of the plan on the page', () => {
    expect(both.left.code.spans.map(({ line, origin }) => [line, origin.command])).toEqual([[2, null]]);
    expect(both.right.code.spans.map(({ line, origin }) => [line, origin.command])).toEqual([
      [3, 1],
      [4, 2],
    ]);
    expect(both.unified.code.spans.map(({ line, origin }) => [line, origin.command])).toEqual([
      [2, null],
      [4, 1],
      [5, 2],
    ]);
  });
});
