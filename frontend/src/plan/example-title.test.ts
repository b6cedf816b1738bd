import { expect, it } from 'vitest';
import { titleOf } from './example-title';
import { canonicalJson, DEFAULT_DRAFT, toPlan } from './plan';

const example = DEFAULT_DRAFT;
const titles = new Map([[canonicalJson(toPlan(example)), 'SpMV, rows in parallel']]);
const edited = { ...example, schedule: 'split(i, i0, i1, 8)' };

it('keeps the name of the example that was edited, as long as it is its expression', () => {
  expect(titleOf(example, [], titles)).toBe('SpMV, rows in parallel');
  expect(titleOf(edited, [example], titles)).toBe('SpMV, rows in parallel (edited)');
  expect(titleOf({ ...edited, expression: 'y(i) = 2 * A(i,j) * x(j)' }, [example, edited], titles)).toBeNull();
  expect(titleOf(edited, [], titles)).toBeNull();
});
