import { describe, expect, it } from 'vitest';
import { balanceOf, marksOf, sentenceOf, slotRows } from './parts';
import { HYB_2_1 } from './fixture';

describe('hyb(2,1) of the running example', () => {
  it('leads from an entry to its place and back', () => {
    const marks = marksOf(HYB_2_1, { kind: 'entry', entry: 2 });
    expect(marks).toEqual({ entry: 2, part: 0, place: 0 });
    expect(marksOf(HYB_2_1, { kind: 'place', part: 0, place: 0 })).toEqual(marks);
  });

  it('is said in words', () => {
    expect(sentenceOf('A', HYB_2_1, { kind: 'entry', entry: 4 })).toBe(
      'A(2,5) = 1 is at place 3 of ell2, in piece 1: piece(2,2) == 2.',
    );
    expect(sentenceOf('A', HYB_2_1, { kind: 'part', part: 0 })).toBe(
      'ell1 holds 3 of 7 entries where piece(2,2) == 1.',
    );
    expect(sentenceOf('A', HYB_2_1, null)).toBeNull();
  });

  it('stands in the rows of its parts', () => {
    const slots = HYB_2_1.parts[1]?.slots;
    if (slots === undefined || slots === null) throw new Error('no slots');
    expect(slotRows(slots).map(({ places }) => places.map(({ entry }) => entry))).toEqual([
      [0, 1],
      [3, 4],
    ]);
  });
});

it('adds up the waits of parts that run one after the other', () => {
  expect(balanceOf([[2, 5]])).toEqual({ worst: 10 / 7, idle: 1 - 7 / 10 });
  expect(
    balanceOf([
      [2, 1],
      [2, 2],
    ]),
  ).toEqual({ worst: 8 / 7, idle: 1 - 7 / 8 });
  expect(balanceOf([[0, 0]])).toEqual({ worst: 1, idle: 0 });
});
