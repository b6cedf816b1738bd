import { describe, expect, it } from 'vitest';
import type { CommandSpecView, CompileView, DiagnosticView, ParameterView, VariableView } from '../../api/types';
import { difference } from '../CodeEditor';
import { rangeInSchedule, utf16Offset } from '../diagnostic-ranges';
import { expressionMarks } from '../expression/expression-marks';
import { argumentOptions, commandOptions, freshNames, variablesAfter } from './schedule-completion';
import { commandMarks } from './schedule-marks';
import { parseLine, parseSchedule, placeAt } from '../../schedule/schedule-syntax';

const parameter = (name: string, kind: ParameterView['kind'], choices: string[] = []): ParameterView => ({
  name,
  kind,
  choices,
  optional: false,
  doc: '',
});
const spec = (name: string, ...parameters: ParameterView[]): CommandSpecView => ({
  name,
  signature: `${name}(…)`,
  summary: '',
  before: '',
  after: '',
  preconditions: [],
  parameters,
});
const COMMANDS = [
  spec(
    'split',
    parameter('i', 'variable'),
    parameter('outer', 'new-variable'),
    parameter('inner', 'new-variable'),
    parameter('size', 'integer'),
  ),
  spec('fuse', parameter('i', 'variable'), parameter('j', 'variable'), parameter('f', 'new-variable')),
  spec('pos', parameter('i', 'variable'), parameter('p', 'new-variable'), parameter('tensor', 'tensor')),
  spec('reorder', parameter('variables', 'variables')),
  spec(
    'precompute',
    parameter('expression', 'expression'),
    parameter('variables', 'variable-set'),
    parameter('copies', 'new-variable-set'),
    parameter('workspace', 'new-tensor'),
  ),
  spec('parallelize', parameter('i', 'variable'), parameter('unit', 'enumeration', ['CPUThread', 'CPUVector'])),
];
const variable = (name: string, underived: boolean): VariableView => ({
  name,
  space: 'coordinate',
  underived,
  reduction: false,
  loop: true,
  unit: null,
  race: null,
  unroll: null,
  bounds: '',
  recovery: null,
});
const RESULT = {
  variables: [variable('i', true), variable('j', true), variable('i0', false)],
  tensors: [
    { name: 'A', format: 'csr', order: 2, dimensions: ['i', 'j'], result: false, dtype: 'float64', levels: [] },
  ],
} as Partial<CompileView> as CompileView;
const KNOWLEDGE = { commands: COMMANDS, result: RESULT, latest: RESULT };

describe('the command language', () => {
  it('knows the parts in front of a command', () => {
    const text = '  A[0..2] :  split(p, b, y, 8)';
    const [command] = parseSchedule(text);
    expect(text.slice(command?.selector?.from, command?.selector?.to)).toBe('A[0..2]');
    expect(text.slice(command?.name?.from, command?.name?.to)).toBe('split');
    expect(parseSchedule('A[*]')[0]).toMatchObject({ selector: { text: 'A[*]' }, name: null });
    expect(placeAt('A[*]: sp')).toEqual({ kind: 'command', from: 6 });
    expect(placeAt('A[*]: ')).toEqual({ kind: 'command', from: 6 });
    expect(placeAt('A[el')).toBeNull();
    const share = spec('share', parameter('variable', 'variable'), parameter('parts', 'parts'));
    const earlier = parseSchedule('A[*]: split(i, a, b, 4)\nshare(a, A[*])');
    const known = variablesAfter([...COMMANDS, share], RESULT, earlier);
    expect(known.map(({ name }) => name)).toEqual(['i', 'j', 'a']);
    expect(placeAt('A[*]: split(i')).toMatchObject({ kind: 'argument', command: 'split', position: 0 });
  });

  it('offers parts in front of a command, and behind them the variables and constants of each part', () => {
    const tensors = [
      { name: 'A', format: 'hyb(2,1)', order: 2, dimensions: ['i', 'j'], result: false, dtype: 'float64', levels: [] },
    ];
    const result = { ...RESULT, tensors } as Partial<CompileView> as CompileView;
    expect(commandOptions({ ...KNOWLEDGE, result })[0]?.label).toBe('A[*]: ');
    expect(commandOptions(KNOWLEDGE).some(({ label }) => label.includes('['))).toBe(false);
    const earlier = parseSchedule('A[*]: split(i, i0, i1, 4)');
    const labels = (position: number, selected: boolean): string[] =>
      argumentOptions({ ...KNOWLEDGE, result }, 'split', position, earlier, ['j'], selected).map(({ label }) => label);
    expect(labels(0, true)).toEqual(['i', 'j', 'i0', 'i1']);
    expect(labels(3, true).slice(0, 2)).toEqual(['width', 'widest']);
    expect(labels(3, false)).not.toContain('width');
    const share = spec('share', parameter('variable', 'variable'), parameter('parts', 'parts'));
    const shared = argumentOptions({ ...KNOWLEDGE, commands: [...COMMANDS, share], result }, 'share', 0, earlier, []);
    expect(shared.map(({ label }) => label)).toContain('i0');
  });

  it('finds commands and arguments with their offsets, and skips blank lines', () => {
    const text = 'split(i, i0, i1, 32)\n\n  reorder( j,i0 )';
    const [split, reorder] = parseSchedule(text);
    expect(split).toMatchObject({ index: 0, from: 0, to: 20, closed: true, name: { text: 'split' } });
    expect(split?.arguments.map((token) => token.text)).toEqual(['i', 'i0', 'i1', '32']);
    expect(reorder?.index).toBe(1);
    for (const token of reorder?.arguments ?? []) expect(text.slice(token.from, token.to)).toBe(token.text);
    expect(text.slice(reorder?.from, reorder?.to)).toBe('reorder( j,i0 )');
  });

  it('keeps an expression with commas as one argument', () => {
    const line = parseLine('precompute(A(i,j) * B(j,k), j, jw)', 0, 0);
    expect(line?.arguments.map((token) => token.text)).toEqual(['A(i,j) * B(j,k)', 'j', 'jw']);
  });

  it('keeps a set of variables as one argument', () => {
    const line = parseLine('precompute(A(i,j), {i, j}, {iw, jw}, w)', 0, 0);
    expect(line?.arguments.map((token) => token.text)).toEqual(['A(i,j)', '{i, j}', '{iw, jw}', 'w']);
  });

  it.each(['', '(', 'split', 'split({', 'split(}', 'split(', 'split(i,,', ')', 'split(i))', '123', '%%'])(
    'survives %s',
    (text) => {
      expect(() => parseSchedule(text)).not.toThrow();
    },
  );

  it.each([
    ['', { kind: 'command', from: 0 }],
    ['  sp', { kind: 'command', from: 2 }],
    ['split(', { kind: 'argument', command: 'split', position: 0, from: 6 }],
    ['split(i, i0, ', { kind: 'argument', command: 'split', position: 2, from: 13 }],
    ['split(i, i0, i1, 3', { kind: 'argument', command: 'split', position: 3, from: 17 }],
    ['split(i, i0, i1, 32)', null],
  ])('knows what is typed after %s', (before, place) => {
    expect(placeAt(before)).toEqual(place);
  });
});

describe('completion', () => {
  it('offers variables as they are after the commands above', () => {
    const earlier = parseSchedule('split(i, i0, i1, 32)');
    expect(variablesAfter(COMMANDS, RESULT, earlier)).toEqual([
      { name: 'i', current: false, detail: 'replaced' },
      { name: 'j', current: true, detail: 'coordinate' },
      { name: 'i0', current: true, detail: 'coordinate' },
      { name: 'i1', current: true, detail: 'derived' },
    ]);
  });

  it('offers enumeration values, tensors and sizes at their places', () => {
    const labels = (command: string, position: number): string[] =>
      argumentOptions(KNOWLEDGE, command, position, [], []).map(({ label }) => label);
    expect(labels('parallelize', 1)).toEqual(['CPUThread', 'CPUVector']);
    expect(labels('pos', 2)).toEqual(['A']);
    expect(labels('split', 3)).toContain('32');
    expect(labels('reorder', 5)).toEqual(['i', 'j']);
    expect(labels('split', 4)).toEqual([]);
    expect(labels('unknown', 0)).toEqual([]);
  });

  it('proposes copies for the variables of a workspace, and knows them afterwards', () => {
    const copies = (set: string): string[] =>
      argumentOptions(KNOWLEDGE, 'precompute', 2, [], ['A(i,j)', set]).map(({ label }) => label);
    expect(copies('i')).toEqual(['iw']);
    expect(copies('{i,j}')).toEqual(['{iw,jw}']);
    expect(copies('')).toEqual([]);
    const after = variablesAfter(COMMANDS, RESULT, parseSchedule('precompute(A(i,j), {i,j}, {iw,jw}, w)'));
    expect(after.map(({ name, current }) => [name, current])).toEqual([
      ['i', true],
      ['j', true],
      ['iw', true],
      ['jw', true],
    ]);
  });

  it('proposes names for new variables that are not taken', () => {
    const [split, fuse] = COMMANDS;
    const names = (
      command: CommandSpecView | undefined,
      at: number,
      typed: string[],
      taken: string[] = [],
    ): string[] => {
      const found = command?.parameters[at];
      return command && found ? freshNames(command.parameters, found, typed, new Set(taken)) : [];
    };
    expect(names(split, 1, ['i'])).toEqual(['i0']);
    expect(names(split, 2, ['i', 'i0'])).toEqual(['i1']);
    expect(names(fuse, 2, ['i', 'j'])).toEqual(['ij', 'f']);
    expect(names(fuse, 2, ['i', 'j'], ['f'])).toEqual(['ij']);
  });
});

describe('marks', () => {
  it('tells commands, variables, tensors, numbers and choices apart', () => {
    const line = parseLine('pos(i0, p, A)', 0, 3);
    expect(line && commandMarks(line, KNOWLEDGE)).toEqual([
      { from: 0, to: 3, ids: ['command:3'], className: 'cm-command' },
      { from: 4, to: 6, ids: ['var:i0'], className: 'cm-variable' },
      { from: 8, to: 9, ids: ['var:p'], className: 'cm-variable' },
      { from: 11, to: 12, ids: ['tensor:A'], className: 'cm-tensor' },
    ]);
    const unknown = parseLine('splitt(i)', 0, 0);
    expect(unknown && commandMarks(unknown, KNOWLEDGE)[0]?.className).toBe('cm-unknown');
    const unit = parseLine('parallelize(i, CPUThread)', 0, 0);
    expect(unit && commandMarks(unit, KNOWLEDGE)[2]).toMatchObject({ className: 'cm-choice', ids: [] });
  });

  it('finds tensors and variables of an expression', () => {
    const ids = expressionMarks('y(i) = alpha * (A(i,j) + 2.5)', new Set(['alpha'])).flatMap((mark) => mark.ids);
    expect(ids).toEqual(['tensor:y', 'var:i', 'tensor:alpha', 'tensor:A', 'var:i', 'var:j']);
  });
});

describe('places of diagnostics', () => {
  const at = (command: number, start: number, end: number): DiagnosticView => ({
    code: 'x',
    severity: 'error',
    message: '',
    location: { part: 'schedule', start, end, command, tensor: null, path: null },
    expected: null,
    found: null,
    candidates: [],
    hint: null,
    evidence: [],
    fixes: [],
  });
  const text = '\n  split(k, k0, k1, 4)\nreorder(i, j)';

  it('count inside their command', () => {
    const range = rangeInSchedule(at(0, 6, 7), text);
    expect(range && text.slice(range.from, range.to)).toBe('k');
  });

  it('cover the command when they name no part of it, and end with the text', () => {
    const range = rangeInSchedule(at(1, 0, 0), text);
    expect(range && text.slice(range.from, range.to)).toBe('reorder(i, j)');
    expect(rangeInSchedule(at(1, 13, 14), text)).toEqual({ from: text.length - 1, to: text.length });
    expect(rangeInSchedule(at(9, 0, 1), text)).toBeNull();
  });

  it('count code points, as the service does', () => {
    expect(utf16Offset('𝛼(i)', 1)).toBe(2);
    expect(utf16Offset('ab', 9)).toBe(2);
  });
});

describe('a change from outside', () => {
  it.each([
    ['abc', 'abXc'],
    ['aaa', 'aa'],
    ['', 'new'],
    ['same', 'same'],
    ['split(i)', 'reorder(i)'],
  ])('from %s to %s is the smallest replacement', (before, after) => {
    const { from, to, insert } = difference(before, after);
    expect(before.slice(0, from) + insert + before.slice(to)).toBe(after);
    expect(insert.length).toBeLessThanOrEqual(after.length);
    expect(to).toBeGreaterThanOrEqual(from);
  });
});
