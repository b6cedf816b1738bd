import { describe, expect, it } from 'vitest';
import { DEFAULT_DRAFT, EMPTY_DRAFT } from '../../plan/plan';
import type { Draft } from '../../plan/plan';
import { describeStep } from './describe';

const step = (part: Partial<Draft>, before: Draft = { ...EMPTY_DRAFT, schedule: 'a(i)\nb(j)' }): string =>
  describeStep(before, { ...before, ...part });

describe('a step of the history', () => {
  it('says what became of the schedule', () => {
    expect(step({ schedule: 'a(i)\nb(j)\nc(k)' })).toBe('Added c(k)');
    expect(step({ schedule: 'a(i)' })).toBe('Removed b(j)');
    expect(step({ schedule: 'a(i)\n# b(j)' })).toBe('Disabled b(j)');
    expect(step({ schedule: 'a(i)\nb(k)' })).toBe('b(j) → b(k)');
    expect(step({ schedule: 'b(j)\na(i)' })).toMatch(/^Moved [ab]\([ij]\)$/);
    expect(step({ schedule: '' })).toBe('Schedule: 0 added, 2 removed');
  });

  it('says which format, type or expression came', () => {
    expect(step({ tensors: { A: { format: 'csc' } } })).toBe('Format of A: csc');
    expect(step({ tensors: { A: { dtype: 'int32' } } })).toBe('Type of A: int32');
    expect(step({ expression: 'y = x' })).toBe('Expression: y = x');
    expect(step({ version: 1 })).toBe('Default loop order: version 1');
    expect(step(DEFAULT_DRAFT)).toBe('Opened y(i) = A(i,j) * x(j)');
  });
});
