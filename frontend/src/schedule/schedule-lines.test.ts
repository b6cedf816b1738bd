import { describe, expect, it } from 'vitest';
import { changeRow, printCommand, scheduleRows, withCommands } from './schedule-lines';

const TEXT = 'split(i, i0, i1, 32) # rows\n\n# reorder(i0, i1)\n// cut by hand\nunroll(i1, 4)';

describe('the rows of a schedule', () => {
  it('are its commands, disabled commands and notes, with the numbers of what is in force', () => {
    expect(scheduleRows(TEXT).map(({ line, kind, index, text }) => [line, kind, index, text])).toEqual([
      [0, 'command', 0, 'split(i, i0, i1, 32)'],
      [2, 'disabled', null, 'reorder(i0, i1)'],
      [3, 'note', null, 'cut by hand'],
      [4, 'command', 1, 'unroll(i1, 4)'],
    ]);
    expect(scheduleRows(TEXT)[0]).toMatchObject({
      name: 'split',
      arguments: ['i', 'i0', 'i1', '32'],
      remark: '# rows',
    });
  });

  it('are edited where they stand, remarks and other lines untouched', () => {
    expect(changeRow(TEXT, { kind: 'write', line: 0, command: 'split(i, a, b, 8)' }).split('\n')[0]).toBe(
      'split(i, a, b, 8) # rows',
    );
    expect(changeRow(TEXT, { kind: 'write', line: 2, command: 'reorder(i1, i0)' })).toContain('# reorder(i1, i0)\n//');
  });

  it('row 10 edits row 10, however many rows there are', () => {
    const many = Array.from({ length: 14 }, (_, row) => `unroll(v${row}, 2)`).join('\n');
    const edited = scheduleRows(changeRow(many, { kind: 'write', line: 10, command: 'unroll(v10, 8)' }));
    expect(edited.filter(({ text }) => text.endsWith('8)')).map(({ index }) => index)).toEqual([10]);
    expect(edited).toHaveLength(14);
  });

  it('are disabled and enabled again without a trace', () => {
    const off = changeRow(TEXT, { kind: 'toggle', line: 4 });
    expect(scheduleRows(off).at(-1)).toMatchObject({ kind: 'disabled', text: 'unroll(i1, 4)' });
    expect(changeRow(off, { kind: 'toggle', line: 4 })).toBe(TEXT);
  });

  it('move, duplicate, go and come', () => {
    expect(changeRow('a()\nb()\nc()', { kind: 'move', line: 0, to: 2 })).toBe('b()\nc()\na()');
    expect(changeRow('a()\nb()\nc()', { kind: 'move', line: 2, to: 0 })).toBe('c()\na()\nb()');
    expect(changeRow('a()\nb()', { kind: 'duplicate', line: 0 })).toBe('a()\na()\nb()');
    expect(changeRow('a()\nb()', { kind: 'remove', line: 0 })).toBe('b()');
    expect(changeRow('', { kind: 'insert', before: null, command: 'a()' })).toBe('a()');
    expect(changeRow('a()\n\n', { kind: 'insert', before: null, command: 'b()' })).toBe('a()\nb()');
    expect(changeRow('a()\nb()', { kind: 'insert', before: 1, command: 'c()' })).toBe('a()\nc()\nb()');
  });

  it('fold back to a step: what comes later is disabled', () => {
    expect(changeRow('a()\n# b()\nc()\nd()', { kind: 'fold', count: 1 })).toBe('a()\n# b()\n# c()\n# d()');
  });

  it('keep the parts of a tensor that a command is for, also when it is disabled', () => {
    const [row, off] = scheduleRows('A[ell4, csr]: split(p, b, y, 8 * (widest / width))\n# A[*]: unroll(j, width)');
    expect(row).toMatchObject({
      selector: 'A[ell4, csr]',
      name: 'split',
      arguments: ['p', 'b', 'y', '8 * (widest / width)'],
    });
    expect(off).toMatchObject({ kind: 'disabled', selector: 'A[*]', name: 'unroll', arguments: ['j', 'width'] });
    expect(printCommand('split', row?.arguments ?? [], row?.selector)).toBe(row?.text);
    expect(scheduleRows('concat(t, A[ell4, csr])')[0]?.arguments).toEqual(['t', 'A[ell4, csr]']);
  });

  it('are printed without the empty arguments at the end', () => {
    expect(printCommand('pos', ['i', 'p', ''])).toBe('pos(i, p)');
    expect(printCommand('pos', ['i', '', 'A'])).toBe('pos(i, , A)');
  });
});

describe('a repair that names the commands in force', () => {
  it('leaves disabled commands and notes beside their neighbours', () => {
    expect(withCommands(TEXT, ['split(i, i0, i1, 32)', 'unroll(i1, 2)'])).toBe(TEXT.replace('4)', '2)'));
    expect(withCommands(TEXT, ['split(i, i0, i1, 32)'])).toBe(TEXT.replace('\nunroll(i1, 4)', ''));
    expect(withCommands(TEXT, ['fuse(i, j, f)', 'split(i, i0, i1, 32)', 'unroll(i1, 4)'])).toBe(
      `fuse(i, j, f)\n${TEXT}`,
    );
    expect(withCommands('', ['a()', 'b()'])).toBe('a()\nb()');
    expect(withCommands('a()', [])).toBe('');
  });
});
