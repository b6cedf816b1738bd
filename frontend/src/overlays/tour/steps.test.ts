import { describe, expect, it } from 'vitest';
import type { RunView } from '../../api/types';
import { UNDERSTAND_TABS } from '../../panes/tabs';
import { toPlan } from '../../plan/plan';
import type { Draft } from '../../plan/plan';
import { INITIAL_STATE } from '../../state/store';
import type { State } from '../../state/store';
import { isOwnPlan, TOUR_DRAFT, TOUR_STEPS, WINNER } from './steps';
import { verdictOf } from './verdict';

const at = (draft: Draft, ok: boolean): State => ({
  ...INITIAL_STATE,
  draft,
  compile: { ...INITIAL_STATE.compile, phase: 'done', result: { ok } as State['compile']['result'] },
});

function ran(draft: Draft, verdict: string): State {
  const ratio = (statement: string) => ({ value: 306, verdict, statement });
  const entries = [
    { id: 'scipy', ratio_to_heddle: ratio('SciPy takes at least 70 times as long as Heddle') },
    { id: 'unscheduled', ratio_to_heddle: ratio('Without its schedule the kernel takes 2.0 times as long as with') },
  ];
  const conclusion = { noisy: true, headline: 'Not conclusive: Heddle did not have its cores.', reasons: ['Why.'] };
  const view = { state: 'done', result: { entries, conclusion } } as unknown as RunView;
  return { ...INITIAL_STATE, run: { ...INITIAL_STATE.run, phase: 'ended', view, plan: toPlan(draft) } };
}

describe('the tour', () => {
  it('knows a task as done only when the plan is the one that the next step speaks of', () => {
    const written = TOUR_STEPS.filter((step) => step.ends !== undefined);
    expect(written.length).toBe(4);
    for (const { title, ends = TOUR_DRAFT, done } of written) {
      const refused = title.includes('refused');
      expect(done?.(at(ends, !refused)), title).toBe(true);
      expect(done?.(at(ends, refused)), title).toBe(false);
      expect(done?.(at({ ...ends, schedule: ends.schedule.replaceAll(', ', ',') }, !refused)), title).toBe(true);
      expect(done?.(at({ ...ends, schedule: ends.schedule.replaceAll('i0', 'o') + '\n' }, !refused)), title).toBe(
        !ends.schedule.includes('i0'),
      );
      expect(done?.(at(TOUR_DRAFT, true)), title).toBe(false);
    }
  });

  it('begins each step with the plan that the step before ends with', () => {
    let plan: Draft = TOUR_DRAFT;
    for (const { title, opens, opened, ends } of TOUR_STEPS.slice(1)) {
      if (opened === undefined) expect(opens, title).toEqual(plan);
      plan = ends ?? opens ?? plan;
    }
  });

  it('takes any change of the plan as the own one, the format among them', () => {
    for (const { ends } of TOUR_STEPS) if (ends !== undefined) expect(isOwnPlan(ends)).toBe(false);
    expect(isOwnPlan({ ...TOUR_DRAFT, schedule: '  split(i,i0,i1,2)\n\n# a note' })).toBe(false);
    expect(isOwnPlan({ ...TOUR_DRAFT, schedule: 'split(i, i0, i1, 3)' })).toBe(true);
    expect(isOwnPlan({ ...TOUR_DRAFT, tensors: { A: { format: 'dcsr' } } })).toBe(true);
  });

  it('says what is there before and after each task that the page can check', () => {
    for (const step of TOUR_STEPS) {
      expect(step.done === undefined).toBe(step.task === undefined);
      expect(step.after === undefined).toBe(step.task === undefined);
    }
  });

  it('opens tabs that the page has', () => {
    const tabs = UNDERSTAND_TABS.map(({ id }) => id);
    for (const { title, view } of TOUR_STEPS) {
      if (view.understand !== undefined) expect(tabs, title).toContain(view.understand);
    }
  });
});

describe('the end of the tour', () => {
  const last = TOUR_STEPS.at(-1);

  it('counts a run of its own plan alone', () => {
    expect(last?.done?.(ran(WINNER, 'faster'))).toBe(true);
    expect(last?.done?.(ran(TOUR_DRAFT, 'faster'))).toBe(false);
    expect(last?.done?.(INITIAL_STATE)).toBe(false);
  });

  it('says who is slower, by how much and why, and claims nothing that was not measured', () => {
    expect(verdictOf(ran(WINNER, 'faster'))).toMatch(
      /^SciPy takes at least 70 times as long as Heddle: it computes .*[.] Without its schedule .* 2.0 times as long as with: /,
    );
    expect(verdictOf(ran(WINNER, 'inconclusive'))).toBe(
      'This run does not show a clear winner. Not conclusive: Heddle did not have its cores. Why. Press Run again for another measurement.',
    );
  });
});
