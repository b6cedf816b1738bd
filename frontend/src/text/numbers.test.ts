import { describe, expect, it } from 'vitest';
import { readNumber } from './numbers';

describe('a number as people write it', () => {
  it.each([
    ['1000', true, 1000],
    ['1 000', true, 1000],
    ['1\u202f000', true, 1000],
    ['12\u00a0345\u00a0678', true, 12_345_678],
    ['1’000', true, 1000],
    ["1'000", true, 1000],
    ['1_000', true, 1000],
    ['1,000', true, 1000],
    ['1.000.000', true, 1_000_000],
    ['1,000,000', true, 1_000_000],
    ['３２', true, 32],
    ['1e3', true, 1000],
    ['−5', true, -5],
    ['1.5', false, 1.5],
    ['1,5', false, 1.5],
    ['0,125', false, 0.125],
    ['0.125', false, 0.125],
    ['1.234', false, 1.234],
    ['1.000,5', false, 1000.5],
    ['1,000.25', false, 1000.25],
    ['.5', false, 0.5],
    [' 7 ', true, 7],
  ])('%j (whole: %s) is %d', (text, integer, value) => expect(readNumber(text, integer)).toEqual({ value }));

  it.each([
    ['1.000', true, '“1.000” can be 1 or 1\u202f000. Write 1 or 1000.'],
    ['12.500', true, '“12.500” can be 12.5 or 12\u202f500. Write 12.5 or 12500.'],
    ['1,000', false, '“1,000” can be 1 or 1\u202f000. Write 1 or 1000.'],
    ['2,500', false, '“2,500” can be 2.5 or 2\u202f500. Write 2.5 or 2500.'],
  ])('%j (whole: %s) has two readings', (text, integer, complaint) =>
    expect(readNumber(text, integer)).toEqual({ complaint }),
  );

  it.each(['', 'ten', '1.2.3', '1 00', '1,2,3', '0x10', '1..2', '-', 'e5', '1 000,000 000'])('%j is none', (text) =>
    expect(readNumber(text, false)).toEqual({ complaint: `“${text.trim()}” is not a number.` }),
  );
});
