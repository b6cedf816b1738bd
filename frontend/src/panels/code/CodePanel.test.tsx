import { act, cleanup, fireEvent, render as renderBare, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ReactElement, ReactNode } from 'react';
import { links } from '../../state/links';
import { createStore, StoreProvider } from '../../state/store';
import { spmv } from '../../viz/fixtures/compiled';
import CodePanel from './CodePanel';
import { textsOf } from '../../components/code/code-texts';

const render = (panel: ReactElement) =>
  renderBare(panel, {
    wrapper: ({ children }: { children: ReactNode }) => <StoreProvider value={createStore()}>{children}</StoreProvider>,
  });

beforeEach(() => links.clear());
afterEach(cleanup);

const code = spmv.code;
if (!code) throw new Error('the fixture has no code');
const texts = code.text.split('\n');
/** 1-based number of the first line that contains `part`. */
const lineWith = (part: string): number => texts.findIndex((text) => text.includes(part)) + 1;
const search = lineWith('iA = search');
const guard = lineWith('break;');

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
    expect(litNames()).toEqual(['j', 'j', 'j', 'j']);
    act(() => links.point(['tensor:x']));
    expect(litNames()).toEqual(['x_vals', 'x_vals', 'x_vals']);
    act(() => links.point(['command:0']));
    expect(litNames()).toEqual([]);
    expect(litLines()).toContain(search);
    expect(litLines()).not.toContain(guard);
    act(() => links.point([]));
    expect(litLines()).toEqual([]);
  });

  it('points at the name under the pointer and at the command of its line', () => {
    render(<CodePanel result={spmv} />);
    const name = [...line(search).querySelectorAll('.code-name')].find((one) => one.textContent === 'A2_pos');
    if (!name) throw new Error('no A2_pos');
    fireEvent.pointerOver(name);
    expect(links.get().pointed).toEqual(['level:A:2', 'command:0']);
    const status = document.querySelector<HTMLElement>('.code-status');
    if (!status) throw new Error('no line about the code');
    expect(status.textContent).toBe(`Line ${search}: search: finds i in level 1 of A; from command 1 fuse(i, j, f)`);
    expect(within(status).getByRole('button', { name: 'level' })).toBeTruthy();
    fireEvent.pointerLeave(listing());
    expect(links.get().pointed).toEqual([]);
  });

  it('goes from line to line and from name to name by the keyboard, pins and releases', () => {
    render(<CodePanel result={spmv} />);
    const press = (key: string): boolean => fireEvent.keyDown(listing(), { key });
    for (let count = 0; count < guard; count += 1) press('ArrowDown');
    expect(line(guard).getAttribute('aria-selected')).toBe('true');
    expect(listing().getAttribute('aria-activedescendant')).toBe(line(guard).id);
    expect(links.get().pointed).toEqual(['var:fpos', 'command:2']);
    press('ArrowRight');
    press('ArrowRight');
    expect(links.get().pointed).toEqual(['level:A:2']);
    press('Enter');
    expect(links.get().pinned).toEqual(['level:A:2']);
    press('Escape');
    expect(links.get().pinned).toEqual([]);
    press('End');
    expect(line(texts.length - 1).getAttribute('aria-selected')).toBe('true');
  });

  it('lists the roles that occur, and hides the tint of one', () => {
    render(<CodePanel result={spmv} />);
    const roles = [...screen.getByRole('group', { name: 'Roles of the code' }).querySelectorAll('button')].map(
      (button) => button.textContent,
    );
    expect(roles).toEqual(['⟷bounds', '◇guard', '↩recovery', '⌕search', 'Σreduction', '∅init']);
    const button = screen.getByRole('button', { name: 'guard' });
    fireEvent.click(button);
    expect(button.getAttribute('aria-pressed')).toBe('false');
    expect(listing().closest('.hide-guard')).not.toBeNull();
  });

  it('shows the stage that is chosen', () => {
    expect(textsOf(spmv).map(({ id, title }) => [id, title])).toEqual([
      ['target', 'C'],
      ['structured', 'Loops, structured'],
      ['flat', 'Loops, flat'],
    ]);
    render(<CodePanel result={spmv} tab="structured" />);
    expect(listing().textContent).toContain('for fpos0 in [0, (A.level2.pos[A1_dimension] + 63) // 64) on CPUThread:');
    act(() => links.point(['tensor:x']));
    expect(litNames()).toEqual(['x_vals', 'x.vals', 'x.vals']);
  });

  it('lights names of new code too', () => {
    const { rerender } = render(<CodePanel result={spmv} />);
    act(() => links.point(['var:j']));
    rerender(<CodePanel result={{ ...spmv, code: { ...code, text: 'x = j;\ny = i;', spans: [] } }} />);
    expect(litNames()).toEqual(['j']);
  });

  it('keeps no light on elements that hold something else in new code', () => {
    const { rerender } = render(<CodePanel result={{ ...spmv, code: { ...code, text: 'j = 1;', spans: [] } }} />);
    act(() => links.point(['var:j']));
    expect(litNames()).toEqual(['j']);
    rerender(<CodePanel result={{ ...spmv, code: { ...code, text: '42 + i;', spans: [] } }} />);
    expect(listing().querySelectorAll('[data-linked]')).toHaveLength(0);
  });

  it('forgets the line when the code changes', () => {
    const { rerender } = render(<CodePanel result={spmv} />);
    fireEvent.pointerOver(line(search));
    expect(line(search).getAttribute('aria-selected')).toBe('true');
    rerender(<CodePanel result={{ ...spmv, code: { ...code, text: `${code.text}// end` } }} />);
    expect(line(search).getAttribute('aria-selected')).toBe('false');
  });

  it('says that there is no code yet', () => {
    render(<CodePanel result={{ ...spmv, code: null, stages: [] }} />);
    expect(screen.getByText('No code yet. It appears when the expression and the schedule compile.')).toBeTruthy();
  });
});
