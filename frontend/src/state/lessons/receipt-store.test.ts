import { describe, expect, it } from 'vitest';
import { readReceipts } from './receipt-store';

const RECEIPT = '/?lesson=equal-work&task=balanced&seed=7&answers=%7B%7D#z1.abc';

describe('the receipts of a browser', () => {
  it('come back as they were kept', () => {
    expect(readReceipts(JSON.stringify({ 'equal-work/balanced': RECEIPT }))).toEqual({
      'equal-work/balanced': RECEIPT,
    });
  });

  it('come back for the homework of a class, and where the page lies in a folder', () => {
    const kept = {
      'ABCD-2345.empty-rows/no-empty-rows': RECEIPT.replace('equal-work', 'ABCD-2345.empty-rows'),
      'equal-work/balanced': `/a/course~2/${RECEIPT.slice(1)}`,
      'equal-work/between-rows': `/a/index.html${RECEIPT.slice(1)}`,
    };
    expect(readReceipts(JSON.stringify(kept))).toEqual(kept);
  });

  it('are none where they lead to another host', () => {
    for (const address of [`/${RECEIPT}`, `//host${RECEIPT}`, `/\\host${RECEIPT}`, `https://host${RECEIPT}`]) {
      expect(readReceipts(JSON.stringify({ 'equal-work/balanced': address }))).toEqual({});
    }
  });

  it('are none where the storage holds something else', () => {
    for (const text of [null, '', '[', 'null', '3', '{"a/b": 3}', '{"a/b": "javascript:alert(1)"}']) {
      expect(readReceipts(text)).toEqual({});
    }
  });
});
