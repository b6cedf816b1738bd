import { describe, expect, it } from 'vitest';
import { DEFAULT_VIEW, readView } from '../state/view-state';
import { chosenTab, CODE_TABS, COMPARE_TABS, RUN_TABS, UNDERSTAND_TABS } from './tabs';

const PANES = [
  ['understand', UNDERSTAND_TABS],
  ['code', CODE_TABS],
  ['run', RUN_TABS],
  ['compare', COMPARE_TABS],
] as const;

describe.each(PANES)('the tabs of the pane %s', (pane, tabs) => {
  const ids = tabs.map(({ id }) => id);

  it('begin with the one that is open at first', () => {
    expect(ids[0]).toBe(DEFAULT_VIEW[pane]);
  });

  it('have ids of their own that an address can hold', () => {
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(readView({ [pane]: id })[pane]).toBe(id);
  });
});

describe('a tab of a link', () => {
  it('that this page does not have opens the first', () => {
    expect(chosenTab(UNDERSTAND_TABS, readView({ understand: 'hologram' }).understand).id).toBe('graphs');
    expect(readView({ understand: 'A(i,j)' }).understand).toBe('graphs');
    expect(readView({ understand: 7 }).understand).toBe('graphs');
  });
});
