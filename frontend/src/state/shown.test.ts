import { expect, it } from 'vitest';
import { emptyView } from '../viz/fixtures/parts';
import { refused } from '../viz/tree/fixture';
import { nextShown } from './shown';

it('draws the plan before a refused command with what forbids the command', () => {
  const plan = { version: 2 as const, expression: 'y(i) = A(i)', schedule: ['together(i, i2)'] };
  const before = {
    plan: { ...plan, schedule: [] },
    view: { ...emptyView(plan.expression), ok: true, tree: { ...refused, forbidding: [] } },
  };
  const shown = nextShown(null, plan, { ...emptyView(plan.expression), ok: false, tree: refused }, before);
  expect(shown.view.ok).toBe(true);
  expect(shown.view.tree?.forbidding).toEqual(refused.forbidding);
  expect(shown.drawn).toEqual({ kind: 'commands', count: 0 });
});
