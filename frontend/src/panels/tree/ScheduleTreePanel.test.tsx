import { cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { emptyView } from '../../viz/fixtures/parts';
import { fused, refused } from '../../viz/tree/fixture';
import ScheduleTreePanel from './ScheduleTreePanel';

afterEach(cleanup);

describe('schedule tree panel', () => {
  it('shows boxes that close, arrows and the same as a table', () => {
    render(<ScheduleTreePanel result={{ ...emptyView('y(i) = A(i)'), tree: fused }} />);
    expect(screen.getAllByRole('listitem')).toHaveLength(7);
    expect(screen.getByRole('img').getAttribute('aria-label')).toBe('t(i) is read as t(i), i: 0');
    expect(screen.getByRole('cell', { name: 'i: 0' })).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: /^Sequence/ }));
    expect(screen.getAllByRole('listitem')).toHaveLength(3);
    expect(screen.getByRole('img').getAttribute('aria-label')).toBe('No dependences between rows');
  });

  it('lists what each statement computes, with the memory that is left of it', () => {
    render(<ScheduleTreePanel result={{ ...emptyView('y(i) = A(i)'), tree: fused }} />);
    const rows = within(screen.getByRole('region', { name: 'Versions' }))
      .getAllByRole('row')
      .slice(1);
    expect(rows.map((row) => [...row.children].map(({ textContent }) => textContent))).toEqual([
      ['t', 'temporary', 'inputs alone', 'a number'],
      ['y', 'result', 't', 'N'],
    ]);
  });

  it('shows the arrow that forbids a loop, drawn and in words', () => {
    render(<ScheduleTreePanel result={{ ...emptyView('y(i) = A(i)'), tree: refused }} />);
    const said = 'distance -1 forbids together(i, i2)';
    expect(screen.getByRole('img').getAttribute('aria-label')).toBe(`t(i) is read as t(i2 + 1): ${said}`);
    expect(screen.getByRole('cell', { name: said })).toBeTruthy();
  });

  it('waits for loops', () => {
    render(<ScheduleTreePanel result={emptyView('y(i) = A(i)')} />);
    expect(screen.getByText('The tree appears once the program has loops.')).toBeTruthy();
  });
});
