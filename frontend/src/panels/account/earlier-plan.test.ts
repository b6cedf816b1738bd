import { expect, test } from 'vitest';
import { DEFAULT_DRAFT } from '../../plan/plan';
import type { Draft } from '../../plan/plan';
import { earlierPlan } from './earlier-plan';

const scheduled = (schedule = ''): Draft => ({ ...DEFAULT_DRAFT, schedule });
const [plain, rows, tiles] = [scheduled(), scheduled('parallelize(i, CPUThread, NoRaces)'), scheduled('unroll(i, 2)')];

test('the plan before is the latest that computes the same in another way', () => {
  expect(earlierPlan([plain, rows], tiles, null)?.schedule).toEqual([rows.schedule]);
  expect(earlierPlan([rows, { ...tiles, inputs: {} }], tiles, null)?.schedule).toEqual([rows.schedule]);
  expect(earlierPlan([{ ...rows, expression: 'y(i) = x(i)' }], tiles, null)).toBeNull();
  expect(earlierPlan([], tiles, null)).toBeNull();
});

test('what was on the page before a plan was opened is no step on the way to it', () => {
  expect(earlierPlan([plain], rows, rows)).toBeNull();
  expect(earlierPlan([plain, rows], tiles, rows)?.schedule).toEqual([rows.schedule]);
  expect(earlierPlan([plain, rows], scheduled(rows.schedule), rows)).toBeNull();
});
