import { expect, it } from 'vitest';
import type { CommandSpecView } from '../../api/types';
import { signatureAt } from './signature-help';

const parameter = (name: string, optional = false) => ({ name, optional, doc: `the ${name}` });
const COMMANDS = [
  { name: 'split', parameters: [parameter('i'), parameter('outer'), parameter('inner'), parameter('size')] },
  { name: 'reorder', parameters: [parameter('variables')] },
  { name: 'balance', parameters: [parameter('i'), parameter('B', true)] },
] as unknown as CommandSpecView[];

it('says which argument comes now, between the parentheses of a command', () => {
  expect(signatureAt('split(', COMMANDS)).toEqual({
    command: 'split',
    parameters: ['i', 'outer', 'inner', 'size'],
    current: 0,
    doc: 'the i',
  });
  expect(signatureAt('A[*]: split(i, i0, ', COMMANDS)?.current).toBe(2);
  expect(signatureAt('reorder(i, j, k', COMMANDS)?.current).toBe(0);
  expect(signatureAt('balance(', COMMANDS)?.parameters).toEqual(['i', '[B]']);
});

it('is silent elsewhere', () => {
  for (const before of ['', 'spl', 'split(i, i0, i1, 32)', 'fold(', 'split(i, # ']) {
    expect(signatureAt(before, COMMANDS)).toBeNull();
  }
});
