import { describe, expect, it } from 'vitest';
import type { CodeView, OriginView } from '../../api/types';
import { spmv } from '../../viz/fixtures/compiled';
import { explainLine } from './explain';
import { linesOf } from './lines';

const compiled = spmv.code;
if (!compiled) throw new Error('the fixture has no code');

/** The first line of the compiled SpMV that contains `text`. */
const lineWith = (text: string) => {
  const line = linesOf(compiled).find((one) => one.text.includes(text));
  if (!line) throw new Error(`no line with ${text}`);
  return line;
};

const origin = (role: OriginView['role'], parts: Partial<OriginView> = {}): OriginView => ({
  role,
  variable: null,
  tensor: null,
  level: null,
  command: null,
  ...parts,
});

const code = (text: string, spans: CodeView['spans'] = [], symbols: CodeView['symbols'] = {}): CodeView => ({
  language: 'c',
  text,
  spans,
  symbols,
});

describe('lines of code', () => {
  it('loses no character', () => {
    const lines = linesOf(compiled);
    const text = lines.map((line) => line.groups.flatMap((group) => group.pieces.map((piece) => piece.text)).join(''));
    expect(text.join('\n')).toBe(compiled.text.trimEnd());
  });

  it('links a position to its variable and its level', () => {
    const pieces = lineWith('iA = search').groups.flatMap((group) => group.pieces);
    expect(pieces.find((piece) => piece.text === 'iA')?.links).toEqual(['var:i', 'level:A:1']);
  });

  it('does not take a name of the prototype chain for a symbol', () => {
    expect(linesOf(code('constructor + x'))[0]?.groups.flatMap((group) => group.pieces)).toEqual([
      { text: 'constructor + x', kind: 'plain', links: [] },
    ]);
  });

  it('cuts a line at the borders of its spans; an inner span lies on top', () => {
    const view = code('a = b + c;', [
      { line: 1, column: 0, end_column: 10, origin: origin('compute') },
      { line: 1, column: 4, end_column: 5, origin: origin('recovery') },
    ]);
    const [line] = linesOf(view);
    expect(line?.origin?.role).toBe('compute');
    expect(line?.groups.map((group) => [group.origin?.role, group.pieces.map((piece) => piece.text).join('')])).toEqual(
      [
        ['compute', 'a = '],
        ['recovery', 'b'],
        ['compute', ' + c;'],
      ],
    );
  });

  it('links the structured names of arrays by tensor and level', () => {
    const symbols: CodeView['symbols'] = { A2_crd: { kind: 'array', variable: null, tensor: 'A', level: 2 } };
    const view: CodeView = { ...code('A.level2.crd[p] * A.vals[p] + other.vals', [], symbols), language: 'loops' };
    const linked = linesOf(view)[0]?.groups.flatMap((group) => group.pieces.filter((piece) => piece.links.length > 0));
    expect(linked?.map((piece) => [piece.text, ...piece.links])).toEqual([
      ['A.level2.crd', 'level:A:2'],
      ['A.vals', 'tensor:A'],
    ]);
  });
});

describe('explaining a line', () => {
  const explain = (text: string): string => explainLine(lineWith(text), spmv.commands).replace(/^Line \d+: /, '');
  const explainText = (text: string, where: OriginView): string => {
    const [line] = linesOf(code(text, [{ line: 1, column: 0, end_column: text.length, origin: where }]));
    return line ? explainLine(line, spmv.commands) : '';
  };

  it('says what a guard keeps below what, and which command made it', () => {
    expect(explain('break;')).toBe(
      'guard: keeps fpos below A2_pos[A1_dimension]; from command 3 split(fpos, fpos0, fpos1, 64)',
    );
  });

  it('says what is searched where', () => {
    expect(explain('iA = search')).toBe('search: finds i in level 1 of A; from command 1 fuse(i, j, f)');
  });

  it('says when a line belongs to no command', () => {
    expect(explain('#include')).toBe('part of every kernel, not of the schedule');
    expect(explainText('', origin('compute'))).toBe('Line 1');
  });

  it('says which block ends at a brace', () => {
    expect(explainText('  }', origin('bounds', { variable: 'i0' }))).toBe(
      'Line 1: end of bounds: iteration domain of i0',
    );
  });

  it.each([
    ['if (i >= A1_dimension) break;', 'Line 1: guard: keeps i below A1_dimension'],
    ['if (i < A1_dimension) {', 'Line 1: guard: keeps i below A1_dimension'],
    ['if i >= A1_dimension:', 'Line 1: guard: keeps i below A1_dimension'],
    ['if (i < n && j < m) {', 'Line 1: guard: keeps i inside its parent'],
  ])('understands the condition of %s', (text, expected) => {
    expect(explainText(text, origin('guard', { variable: 'i' }))).toBe(expected);
  });

  it('names every role', () => {
    expect(explainText('x', origin('bounds', { variable: 'i0' }))).toBe('Line 1: bounds: iteration domain of i0');
    expect(explainText('x', origin('search', { variable: 'i', tensor: 'A', level: 1 }))).toBe(
      'Line 1: search: finds i in level 1 of A',
    );
    expect(explainText('x', origin('assembly', { tensor: 'C', level: 2 }))).toBe(
      'Line 1: assembly: builds level 2 of C',
    );
    expect(explainText('x', origin('init', { tensor: 'y' }))).toBe('Line 1: init: zeroes or allocates y');
    expect(explainText('x', origin('reduction'))).toBe('Line 1: reduction: combines partial sums, atomics');
    expect(explainText('x', origin('compute'))).toBe('Line 1: compute: the mathematics itself');
    expect(explainText('x', origin('compute', { variable: 'k', tensor: 'B', level: 2 }))).toBe(
      'Line 1: compute: locates k in level 2 of B',
    );
    expect(explainText('x', origin('recovery', { variable: 'j', tensor: 'A', level: 2 }))).toBe(
      'Line 1: recovery: coordinate j read from level 2 of A',
    );
    expect(explainText('x', origin('bounds', { variable: 'k', tensor: 'B', level: 2 }))).toBe(
      'Line 1: bounds: iteration domain of k: level 2 of B',
    );
  });
});
