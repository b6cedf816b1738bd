import { describe, expect, it } from 'vitest';
import { completionsOf } from './completions';

const PRESETS = [
  { name: 'csr', order: 2, text: 'dense, compressed', summary: 'rows' },
  { name: 'coo', order: null, text: '', summary: 'coordinates' },
  { name: 'csf', order: 3, text: '', summary: 'fibres' },
];
const QUANTITIES = [
  { name: 'length', spelled: 'length', summary: 'entries of its row', matrices: false },
  { name: 'tile', spelled: 'tile(a,b)', summary: 'entries of its tile', matrices: true },
];
const texts = (text: string, order = 2) => completionsOf(text, order, PRESETS, QUANTITIES).map((one) => one.text);

describe('completions of a sum of parts', () => {
  it('are whole tests behind where and and', () => {
    expect(texts('ell(4) where ')).toEqual(['ell(4) where length <= 4', 'ell(4) where tile(4,4) >= 8']);
    expect(texts('ell(4) where length <= 4 and ti')).toEqual(['ell(4) where length <= 4 and tile(4,4) >= 8']);
    expect(texts('csf where ', 3)).toEqual(['csf where length <= 4']);
  });

  it('are formats of that order behind a plus', () => {
    expect(texts('ell(4) where slot < 4 + c')).toEqual(['ell(4) where slot < 4 + csr', 'ell(4) where slot < 4 + coo']);
    expect(texts('ell(4) where slot < 4 + csr')).toEqual([]);
  });

  it('are none anywhere else', () => {
    for (const text of ['', 'csr', 'hyb(1,2)', 'ell(4) where slot <']) expect(texts(text)).toEqual([]);
  });
});
