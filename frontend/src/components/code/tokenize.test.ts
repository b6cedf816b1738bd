import { describe, expect, it } from 'vitest';
import { tokenize } from './tokenize';

const kinds = (text: string, language: 'c' | 'loops' = 'c') =>
  tokenize(text, language).map((line) =>
    line.filter((token) => token.kind !== 'plain').map((token) => `${token.kind}:${token.text}`),
  );

describe('tokenizer', () => {
  it('tells types, names, keywords and numbers of C apart', () => {
    expect(kinds('for (int64_t i0 = 0; i0 < 3.5e2; i0++) {')).toEqual([
      ['keyword:for', 'type:int64_t', 'identifier:i0', 'number:0', 'identifier:i0', 'number:3.5e2', 'identifier:i0'],
    ]);
  });

  it('keeps every character in its column', () => {
    for (const text of [
      '  int32_t j = A2_crd[jA]; // why',
      '#pragma omp parallel for reduction(+: t)',
      '',
      '\tx["a"];',
    ]) {
      const [tokens = []] = tokenize(text, 'c');
      expect(tokens.map((token) => token.text).join('')).toBe(text);
      for (const token of tokens) expect(text.slice(token.start, token.start + token.text.length)).toBe(token.text);
    }
  });

  it('carries a comment over several lines', () => {
    expect(kinds('a /* one\ntwo\nthree */ b')).toEqual([
      ['identifier:a', 'comment:/* one'],
      ['comment:two'],
      ['comment:three */', 'identifier:b'],
    ]);
  });

  it('finds names inside a pragma', () => {
    expect(kinds('#pragma omp simd reduction(+: sum)')).toEqual([
      ['directive:#pragma omp simd reduction', 'directive:(+: ', 'identifier:sum', 'directive:)'],
    ]);
  });

  it('takes // for a comment in C, and for a division in the loops', () => {
    expect(kinds('n // 8 + m')).toEqual([['identifier:n', 'comment:// 8 + m']]);
    expect(kinds('n // 8 + m', 'loops')).toEqual([['identifier:n', 'number:8', 'identifier:m']]);
  });

  it('reads dotted names and # comments of the loops', () => {
    expect(kinds('    y.vals[i] += A.vals[i, jA]  # a sum', 'loops')).toEqual([
      ['identifier:y.vals', 'identifier:i', 'identifier:A.vals', 'identifier:i', 'identifier:jA', 'comment: # a sum'],
    ]);
  });
});
