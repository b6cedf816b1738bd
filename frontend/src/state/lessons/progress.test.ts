import { describe, expect, it } from 'vitest';
import { merged, progressLink, readProgress } from './progress';

const own = { seed: 7, done: { 'equal-work/balanced': ['silver'] } };

describe('the progress of the course', () => {
  it('comes back from a link', () => {
    const link = new URL(progressLink(own, 'http://127.0.0.1'));
    expect(readProgress(link.searchParams.get('progress'))).toEqual(own);
  });

  it('takes nothing from a link that is no progress', () => {
    expect(readProgress(null)).toBeNull();
    expect(readProgress('{"seed": -1}')).toBeNull();
    expect(readProgress('{"seed": "7"}')).toBeNull();
    expect(readProgress('[')).toBeNull();
    const odd = { seed: 7, done: { '<b>/x': ['gold'], 'a/b': ['gold', 'wood'], 'a/c': 'gold' } };
    expect(readProgress(JSON.stringify(odd))).toEqual({ seed: 7, done: { 'a/b': ['gold'] } });
  });

  it('comes back for the homework of a class', () => {
    const homework = { seed: 7, done: { 'ABCD-2345.empty-rows/no-empty-rows': ['gold'] } };
    expect(readProgress(JSON.stringify(homework))).toEqual(homework);
  });

  it('keeps what was done on either side', () => {
    const other = { seed: 9, done: { 'equal-work/balanced': ['bronze'], 'a/b': [] } };
    expect(merged(own, other)).toEqual({ seed: 7, done: { 'equal-work/balanced': ['bronze', 'silver'], 'a/b': [] } });
  });
});
