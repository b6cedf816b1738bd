import { describe, expect, it } from 'vitest';
import { convolution } from './fixture';
import { barText, numberLine } from './number-line';

const statement = convolution.ranges?.statements[0];
if (statement === undefined) throw new Error('the fixture has no statement');

describe('the number line', () => {
  it('has what each access leaves and, below it, what is left in the end', () => {
    expect(numberLine(statement)?.bars.map(barText)).toEqual([
      'I(i+x) leaves 0 … 5 for i',
      'i runs over 0 … 5',
      'W(x) leaves 0 … 2 for x',
      'x runs over 0 … 2',
    ]);
    expect(numberLine(statement)).toMatchObject({ from: 0, to: 6, ticks: [0, 1, 2, 3, 4, 5, 6] });
  });

  it('begins below 0 where an access does, with ticks that have room', () => {
    const wide = numberLine({
      ...statement,
      rounds: [],
      variables: [{ name: 'i', reduced: false, interval: '-3:90', start: -3, end: 90, at: null }],
    });
    expect(wide).toMatchObject({ from: -3, to: 90 });
    expect(wide?.ticks.length).toBeLessThanOrEqual(11);
  });

  it('is none where nothing has numbers, and says what is empty', () => {
    const variables = [{ name: 'i', reduced: false, interval: null, start: null, end: null, at: null }];
    expect(numberLine({ ...statement, rounds: [], variables })).toBeNull();
    expect(barText({ variable: 'i', by: null, start: 2, end: 2 })).toBe('i runs over nothing');
  });
});
