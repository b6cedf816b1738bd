import { describe, expect, it } from 'vitest';
import { readReceipts } from './receipt-store';

const RECEIPT = '/?lesson=equal-work&task=balanced&seed=7&answers=%7B%7D#z1.abc';

describe('the receipts of a browser', () => {
  it('come back as they were kept', () => {
    expect(readReceipts(JSON.stringify({ 'equal-work/balanced': RECEIPT }))).toEqual({
      'equal-work/balanced': RECEIPT,
    });
  });

  it('are none where the storage holds something else', () => {
    for (const text of [null, '', '[', 'null', '3', '{"a/b": 3}', '{"a/b": "javascript:alert(1)"}']) {
      expect(readReceipts(text)).toEqual({});
    }
  });
});
