import { describe, expect, it } from 'vitest';
import { UNDERSTAND_TABS } from '../../panes/tabs';
import { INITIAL_STATE } from '../../state/store';
import type { State } from '../../state/store';
import { isOwnSchedule, TOUR_DRAFT, TOUR_STEPS } from './steps';

const at = (schedule: string, ok: boolean): State => ({
  ...INITIAL_STATE,
  draft: { ...TOUR_DRAFT, schedule },
  compile: { ...INITIAL_STATE.compile, phase: 'done', result: { ok } as State['compile']['result'] },
});

describe('the tour', () => {
  it('knows a task as done only when what it asks for compiles, or is refused where it should be', () => {
    for (const { title, schedule, done } of TOUR_STEPS.filter((step) => step.schedule !== undefined)) {
      const refused = title.includes('refused');
      expect(done?.(at(schedule ?? '', !refused)), title).toBe(true);
      expect(done?.(at(schedule ?? '', refused)), title).toBe(false);
      expect(done?.(at('', true)), title).toBe(false);
    }
  });

  it('counts only what the visitor wrote as the own schedule', () => {
    for (const { schedule } of TOUR_STEPS) expect(isOwnSchedule(schedule ?? '')).toBe(false);
    expect(isOwnSchedule('  split(i, i0, i1, 2)\n\n# a note')).toBe(false);
    expect(isOwnSchedule('split(i, i0, i1, 3)')).toBe(true);
  });

  it('asks for a task in every step that the page can check', () => {
    for (const step of TOUR_STEPS) expect(step.done === undefined).toBe(step.task === undefined);
  });

  it('opens tabs that the page has', () => {
    const tabs = UNDERSTAND_TABS.map(({ id }) => id);
    for (const { title, view } of TOUR_STEPS) {
      if (view.understand !== undefined) expect(tabs, title).toContain(view.understand);
    }
  });
});
