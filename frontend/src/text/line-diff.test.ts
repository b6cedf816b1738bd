import { describe, expect, it } from 'vitest';
import { diffLines } from './line-diff';

const signs = (before: string, after: string): string =>
  diffLines(before, after)
    .map((line) => `${{ added: '+', removed: '-', same: ' ' }[line.mark]}${line.text}`)
    .join('|');

describe('line diff', () => {
  it('marks nothing when nothing changed', () => expect(signs('a\nb', 'a\nb')).toBe(' a| b'));
  it('shows a changed line as removed, then added', () => expect(signs('a\nb\nc', 'a\nx\nc')).toBe(' a|-b|+x| c'));
  it('finds an inserted line', () => expect(signs('a\nc', 'a\nb\nc')).toBe(' a|+b| c'));
  it('keeps the longest common part', () => expect(signs('a\nb\nc\nd', 'b\nd\ne')).toBe('-a| b|-c| d|+e'));
  it('handles repeated lines', () => expect(signs('a\na', 'a')).toBe(' a|-a'));
  it('gives back both texts', () => {
    const [before, after] = ['q\nw\ne\nr\nt', 'w\nx\nr\nq\nt\nt'];
    const lines = diffLines(before, after);
    const side = (drop: 'added' | 'removed'): string =>
      lines
        .filter((line) => line.mark !== drop)
        .map((line) => line.text)
        .join('\n');
    expect(side('added')).toBe(before);
    expect(side('removed')).toBe(after);
  });
});
