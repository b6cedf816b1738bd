import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CompileView } from '../../api/types';
import { links } from '../../state/links';
import { spmv, spmvCode } from '../../viz/fixtures/spmv';
import CodePanel from './CodePanel';
import { tabsOf } from './codeTabs';

beforeEach(() => links.clear());
afterEach(cleanup);

const listing = (): HTMLElement => screen.getByRole('listbox');
const litNames = (): (string | null)[] =>
  [...listing().querySelectorAll('.code-name[data-linked]')].map((element) => element.textContent);
const litLines = (): number[] =>
  [...listing().querySelectorAll<HTMLElement>('[data-lit-line]')].map((line) => Number(line.dataset['line']) + 1);
const line = (number: number): Element => {
  const element = listing().querySelector(`[data-line="${number - 1}"]`);
  if (!element) throw new Error(`no line ${number}`);
  return element;
};

describe('code panel', () => {
  it('lights names and lines that are pointed at elsewhere', () => {
    render(<CodePanel result={spmv} />);
    act(() => links.point(['var:j']));
    expect(litNames()).toEqual(['j', 'j']);
    act(() => links.point(['tensor:x']));
    expect(litNames()).toEqual(['x_vals', 'x_vals']);
    act(() => links.point(['command:1']));
    expect(litNames()).toEqual([]);
    expect(litLines()).toEqual([13, 17, 18]);
    act(() => links.point([]));
    expect(litLines()).toEqual([]);
  });

  it('points at the name under the pointer and at the command of its line', () => {
    render(<CodePanel result={spmv} />);
    const name = [...line(18).querySelectorAll('.code-name')].find((one) => one.textContent === 'A2_crd');
    if (!name) throw new Error('no A2_crd');
    fireEvent.pointerOver(name);
    expect(links.get().pointed).toEqual(['level:A:2', 'command:1']);
    expect(screen.getByText(/^Line 18: recovery: coordinate j read from level 2 of A/)).toBeTruthy();
    fireEvent.pointerLeave(listing());
    expect(links.get().pointed).toEqual([]);
  });

  it('goes from line to line and from name to name by the keyboard, pins and releases', () => {
    render(<CodePanel result={spmv} />);
    const press = (key: string): boolean => fireEvent.keyDown(listing(), { key });
    for (let count = 0; count < 16; count += 1) press('ArrowDown');
    expect(line(16).getAttribute('aria-selected')).toBe('true');
    expect(listing().getAttribute('aria-activedescendant')).toBe(line(16).id);
    expect(links.get().pointed).toEqual(['var:fpos', 'command:2']);
    press('ArrowRight');
    press('ArrowRight');
    expect(links.get().pointed).toEqual(['level:A:2']);
    press('Enter');
    expect(links.get().pinned).toEqual(['level:A:2']);
    press('Escape');
    expect(links.get().pinned).toEqual([]);
    press('End');
    expect(line(24).getAttribute('aria-selected')).toBe('true');
  });

  it('lists the roles that occur, and hides the tint of one', () => {
    render(<CodePanel result={spmv} />);
    const roles = [...screen.getByRole('group').querySelectorAll('button')].map((button) => button.textContent);
    expect(roles).toEqual(['⟷bounds', '◇guard', '↩recovery', '⌕search', 'Σreduction', '∅init', '·compute']);
    const guard = screen.getByRole('button', { name: 'guard' });
    fireEvent.click(guard);
    expect(guard.getAttribute('aria-pressed')).toBe('false');
    expect(listing().closest('.hide-guard')).not.toBeNull();
  });

  it('shows the stage that is chosen', () => {
    const loops = { ...spmvCode, language: 'loops' as const, text: 'for i in [0, n):', spans: [] };
    const view: CompileView = {
      ...spmv,
      stages: [
        ...spmv.stages,
        { id: 'flat', title: 'Loops, flat', text: loops.text, command: null, milliseconds: 1, code: loops },
      ],
    };
    expect(tabsOf(view).map(({ id, title }) => [id, title])).toEqual([
      ['target', 'C'],
      ['flat', 'Loops, flat'],
    ]);
    render(<CodePanel result={view} chosen="flat" />);
    expect(listing().textContent).toContain('for i in [0, n):');
  });

  it('lights names of new code too', () => {
    const { rerender } = render(<CodePanel result={spmv} />);
    act(() => links.point(['var:j']));
    const code = { ...spmvCode, text: 'x = j;\ny = i;', spans: [] };
    rerender(<CodePanel result={{ ...spmv, code }} />);
    expect(litNames()).toEqual(['j']);
  });

  it('says that there is no code yet', () => {
    render(<CodePanel result={{ ...spmv, code: null, stages: [] }} />);
    expect(screen.getByText('No code yet. It appears when the expression and the schedule compile.')).toBeTruthy();
  });
});
