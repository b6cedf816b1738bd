import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { toPlan } from './plan';
import { readPlan } from './plan-reader';

/** Tests run in frontend/. */
const FOLDER = '../backend/heddle_server/examples/';
const EXAMPLES = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.json'))
  .map((name) => {
    const { plan } = JSON.parse(readFileSync(FOLDER + name, 'utf-8')) as { plan: { tensors?: unknown } };
    return [name, plan] as const;
  });
const filled = (fill: unknown) => ({ expression: 'd(i) = min(j, A(i,j) + x(j))', tensors: { A: { fill } } });

describe('what a tensor is where it stores nothing', () => {
  // The page dropped it, so that the example of shortest paths was another program in the page than in a link.
  it.each(['inf', '-inf', 'nan', '1+2j', '-1.5e+30j', 7, -1.5, 1e308, true, false])('stays %s', (fill) => {
    expect(toPlan(readPlan(filled(fill))).tensors).toEqual({ A: { fill } });
  });

  it('is 0 where nothing is said', () => {
    expect(toPlan(readPlan(filled(0))).tensors).toBeUndefined();
    expect(toPlan(readPlan(filled(null))).tensors).toBeUndefined();
  });

  it.each(['infinity', 'j2', 'nanj', [1], {}])('is refused as %s', (fill) => {
    expect(() => readPlan(filled(fill))).toThrow(
      'tensors.A.fill must be a number, true, false, inf, -inf, nan or 1+2j',
    );
  });
});

describe('the plan of an example', () => {
  it.each(EXAMPLES)('says the same of its tensors after it was opened: %s', (_, plan) => {
    expect(toPlan(readPlan(plan)).tensors).toEqual(plan.tensors);
  });
});
