import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { links } from '../../state/links';
import { spmm, spmv } from '../../viz/fixtures/compiled';
import StagesPanel from './StagesPanel';

beforeEach(() => links.clear());
afterEach(cleanup);

const text = (): string[] =>
  within(screen.getByRole('listbox'))
    .getAllByRole('option')
    .map((line) => {
      const mark = line.classList.contains('code-added') ? '+' : line.classList.contains('code-removed') ? '-' : ' ';
      return `${mark}${line.querySelector('code')?.textContent ?? ''}`;
    });

/** Terms in it are buttons that explain themselves. */
const summary = (): string | null | undefined => document.querySelector('.stage-summary')?.textContent;

describe('stages panel', () => {
  it('lists every stage with its time, and opens the last command with its changes', () => {
    render(<StagesPanel result={spmv} />);
    const buttons = within(screen.getByRole('list', { name: 'Stages in order' })).getAllByRole('button');
    expect(buttons).toHaveLength(spmv.stages.filter(({ changed }) => changed).length);
    expect(buttons[4]?.textContent).toBe('3split(fpos, fpos0, fpos1, 64)0.25 ms');
    expect(buttons[5]?.getAttribute('aria-current')).toBe('step');
    expect(text().slice(0, 4)).toEqual([
      '-∀fpos0',
      '+∀fpos0  parallel(CPUThread, Atomics)',
      '   ∀fpos1',
      '     y(i) += A(i,j) * x(j)',
    ]);
  });

  it('shows the plain text when changes are not wanted, or the stage before is of another kind', () => {
    render(<StagesPanel result={spmv} />);
    fireEvent.click(screen.getByLabelText('Mark changes'));
    expect(text().slice(0, 2)).toEqual([' ∀fpos0  parallel(CPUThread, Atomics)', '   ∀fpos1']);
    fireEvent.click(screen.getByLabelText('Mark changes'));
    fireEvent.click(screen.getByRole('button', { name: /^Index notation/ }));
    expect(text()).toEqual([' y(i) = A(i,j) * x(j)']);
  });

  it('shows a pass over the loops with what it is for and what it changed', () => {
    render(<StagesPanel result={spmm} />);
    const button = screen.getByRole('button', { name: /^Separate full tiles/ });
    expect(button.textContent).toBe('Separate full tiles+14 −80.25 ms');
    fireEvent.click(button);
    expect(summary()).toMatch(/^Moves the test for a full tile/);
    expect(screen.getByText('changes against the stage before')).toBeTruthy();
    expect(text()).toContain('+                    if k0 * 32 + 31 < B2_dimension:');
    // What is printed last is what the last of them left.
    fireEvent.click(screen.getByRole('button', { name: /^Loops, structured/ }));
    expect(screen.getByText('same text as the stage before')).toBeTruthy();
  });

  it('lists the passes that changed nothing, but not among the stages', () => {
    render(<StagesPanel result={spmm} />);
    expect(screen.queryByRole('button', { name: /^Partial sums/ })).toBeNull();
    const idle = screen.getByRole('group');
    const count = spmm.stages.filter(({ changed }) => !changed).length;
    expect(within(idle).getByText(`${count} passes changed nothing`)).toBeTruthy();
    expect(within(idle).getByText('Partial sums')).toBeTruthy();
    const stages = spmm.stages.filter(({ changed, id }) => changed || id === 'pass-prefetch');
    cleanup();
    render(<StagesPanel result={{ ...spmm, stages }} />);
    expect(screen.getByText('1 pass changed nothing')).toBeTruthy();
  });

  it('hides stages that change nothing', () => {
    const same = { ...spmv.stages[3], id: 'command-9', title: 'bound', text: spmv.stages[3]?.text ?? '' };
    const stages = [...spmv.stages.slice(0, 4), same, ...spmv.stages.slice(4)] as typeof spmv.stages;
    render(<StagesPanel result={{ ...spmv, stages }} />);
    expect(screen.getByRole('button', { name: /bound/ })).toBeTruthy();
    fireEvent.click(screen.getByLabelText('Hide unchanged'));
    expect(screen.queryByRole('button', { name: /bound/ })).toBeNull();
  });

  it('is linked: a command lights its stage, and names in the text light up', () => {
    render(<StagesPanel result={spmv} />);
    act(() => links.point(['command:2']));
    expect(screen.getByRole('button', { name: /split/ }).hasAttribute('data-linked')).toBe(true);
    act(() => links.point(['tensor:A']));
    const lit = [...document.querySelectorAll('.code-name[data-linked]')].map((element) => element.textContent);
    expect(lit).toEqual(['A', 'A', 'A']);
  });
});
