import { describe, expect, it } from 'vitest';
import { inOneLine, oneCommandPerLine, plainText } from './pasted-text';

const SPMV = 'y(i) = A(i,j) * x(j)';

describe('a text from a PDF or a word processor', () => {
  it.each([
    ['no-break spaces', 'y(i)\u00a0=\u2009A(i,j)\u3000* x(j)', SPMV],
    ['zero-width spaces and marks', '\ufeffy(i) = A(i,\u200bj) *\u202e x(j)', SPMV],
    ['signs that look alike', 'y(i) = A(i，j) × x（j）', SPMV],
    ['typographic quotes', '“a” ‘b’', `"a" 'b'`],
    ['line ends of all kinds', 'a\r\nb\rc\u2028d\u0085e', 'a\nb\nc\nd\ne'],
    ['full-width digits', 'split(i，i0，i1，３２)', 'split(i,i0,i1,32)'],
    ['names in other letters', '矩阵(i)', '矩阵(i)'],
  ])('comes with %s', (_, text, plain) => expect(plainText(text)).toBe(plain));
});

describe('an expression with line breaks', () => {
  it.each([
    [`${SPMV}\n`, SPMV],
    ['y(i) =\n  A(i,j) * x(j)', SPMV],
    ['\n\ny(i) = A(i,j)\n* x(j)\n', SPMV],
    ['t(i) = A(i,j) * x(j)\ny(i) = 2 * t(i)', 't(i) = A(i,j) * x(j); y(i) = 2 * t(i)'],
    ['t(i) = A(i,j) * x(j);\ny(i) += t(i)', 't(i) = A(i,j) * x(j); y(i) += t(i)'],
    ['y(i) =\nA(i,j) *\nx(j)', SPMV],
    ['a\nb = 2', 'a; b = 2'],
  ])('%j becomes %j', (text, line) => expect(inOneLine(text)).toBe(line));
});

describe('a schedule', () => {
  it.each([
    [
      'split(i, i0, i1, 32); parallelize(i0, CPUThread, NoRaces)',
      'split(i, i0, i1, 32)\nparallelize(i0, CPUThread, NoRaces)',
    ],
    ['split(i,i0,i1,32),reorder(i0,i1,j);', 'split(i,i0,i1,32)\nreorder(i0,i1,j)'],
    ['parallelize(i, CPUThread,\n   NoRaces)', 'parallelize(i, CPUThread, NoRaces)'],
    ['parallelize(i, CPU-\nThread, NoRaces)', 'parallelize(i, CPUThread, NoRaces)'],
    ['split(i, i0, i1,\nunroll(i1, 4)', 'split(i, i0, i1,\nunroll(i1, 4)'],
    ['# a; b(c), d\nsplit(i, i0, i1, 32) // e(f), g', '# a; b(c), d\nsplit(i, i0, i1, 32) // e(f), g'],
    ['precompute(A(i,j) * x(j), j, jw, w)', 'precompute(A(i,j) * x(j), j, jw, w)'],
    ['A[*]: split(i, i0, i1, 32)\n\nunroll(i1, 4)', 'A[*]: split(i, i0, i1, 32)\n\nunroll(i1, 4)'],
    ['split(i', 'split(i'],
    ['', ''],
  ])('%j is pasted as %j', (text, lines) => expect(oneCommandPerLine(text)).toBe(lines));
});
