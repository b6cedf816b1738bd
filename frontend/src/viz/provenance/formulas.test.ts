import { describe, expect, it } from 'vitest';
import { evaluate, evaluateBounds, withNumbers } from './formulas';
import type { Numbers } from './formulas';

const known: Readonly<Record<string, number>> = { i_min: 0, i_max: 70, j_size: 6, i0: 2, i1: 3, f: 15, fpos: 4, j: 9 };
const numbers: Numbers = {
  name: (name) => known[name],
  call: (name, argument) => (name === 'search_A' ? argument + 100 : undefined),
};

describe('formulas of provenance relations', () => {
  it.each([
    ['i0 · 32 + i1', 67],
    ['⌊i_min / 32⌋', 0],
    ['⌈i_max / 32⌉', 3],
    ['⌈(i_max − i_min) / 4⌉', 18],
    ['f mod j_size', 3],
    ['10 − 4 − 3', 3],
    ['search_A(f − 1) + 1', 115],
    ['unknown + 1', null],
    ['other_A(1)', null],
    ['(1', null],
    ['A2.crd[fpos]', null],
    ['', null],
  ])('%s is %s', (formula, value) => {
    expect(evaluate(formula, numbers)).toBe(value);
  });

  it('reads both ends of a range', () => {
    expect(evaluateBounds('i0 ∈ [⌊i_min / 32⌋, ⌈i_max / 32⌉)', numbers)).toEqual({ lower: 0, upper: 3 });
    expect(evaluateBounds('f ∈ [0, ⌈q_max / 2⌉)', numbers)).toBeNull();
  });

  it('puts numbers in for names, and leaves arrays and words', () => {
    expect(withNumbers('j = f mod j_size', numbers)).toBe('9 = 15 mod 6');
    expect(withNumbers('j = A2.crd[fpos]', numbers)).toBe('9 = A2.crd[4]');
    expect(withNumbers('q = i0 · 32 + i1', numbers)).toBeNull();
    expect(withNumbers('i0 = the coordinate whose segment in A2.pos holds fpos', numbers)).toBeNull();
  });
});
