import { describe, expect, it } from 'vitest';
import type { CodeView, OriginView } from '../../api/types';
import { spmv, spmvCode } from '../../viz/fixtures/spmv';
import { explainLine } from './explain';
import { linesOf } from './lines';

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
    const lines = linesOf(spmvCode);
    const text = lines.map((line) => line.groups.flatMap((group) => group.pieces.map((piece) => piece.text)).join(''));
    expect(text.join('\n')).toBe(spmvCode.text);
  });

  it('links a position to its variable and its level', () => {
    const pieces = linesOf(spmvCode)[14]?.groups.flatMap((group) => group.pieces);
    expect(pieces?.find((piece) => piece.text === 'fpos')?.links).toEqual(['var:fpos', 'level:A:2']);
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

  it('links a dotted name by its tensor when the whole is not known', () => {
    const view: CodeView = {
      ...code('A.vals[p]', [], { A: { kind: 'array', variable: null, tensor: 'A', level: null } }),
      language: 'loops',
    };
    expect(linesOf(view)[0]?.groups[0]?.pieces[0]).toEqual({ text: 'A.vals', kind: 'identifier', links: ['tensor:A'] });
  });
});

describe('explaining a line', () => {
  const explain = (number: number): string => {
    const line = linesOf(spmvCode)[number - 1];
    return line ? explainLine(line, spmv.commands) : '';
  };
  const explainText = (text: string, where: OriginView): string => {
    const [line] = linesOf(code(text, [{ line: 1, column: 0, end_column: text.length, origin: where }]));
    return line ? explainLine(line, spmv.commands) : '';
  };

  it('says what a guard keeps below what, and which command made it', () => {
    expect(explain(16)).toBe(
      'Line 16: guard: keeps fpos below A2_pos[A1_dimension]; from command 3 split(fpos, fpos0, fpos1, 64)',
    );
  });

  it('says where a coordinate is read', () => {
    expect(explain(18)).toBe('Line 18: recovery: coordinate j read from level 2 of A; from command 2 pos(f, fpos, A)');
  });

  it('says when a line belongs to no command', () => {
    expect(explain(1)).toBe('Line 1: part of the frame, not of the schedule');
    expect(explain(3)).toBe('Line 3');
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
    expect(explainText('x', origin('compute', { variable: 'i' }))).toBe(
      'Line 1: compute: the mathematics itself, at i',
    );
  });
});
