import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { links } from '../../state/links';
import { mttkrp, spmm } from '../../viz/fixtures/compiled';
import { emptyView } from '../../viz/fixtures/parts';
import GraphPanel from './GraphPanel';

beforeEach(() => links.clear());
afterEach(cleanup);

const lit = (): string[] =>
  [...document.querySelectorAll('[data-item][data-linked]')].map((element) => element.getAttribute('data-link') ?? '');

describe('iteration graph panel', () => {
  it('says every loop in words', async () => {
    render(<GraphPanel result={mttkrp} />);
    expect(await screen.findByRole('button', { name: /^Loop 2: k/ })).toBeTruthy();
    expect(screen.getByRole('button', { name: /^Loop 2: k/ }).getAttribute('aria-label')).toBe(
      'Loop 2: k, coordinate variable, reduction, ' +
        'intersection: only coordinates that all of these tensors store, coordinates stored in B',
    );
    expect(screen.getByRole('button', { name: /^Operand C/ }).getAttribute('aria-label')).toBe(
      'Operand C(k,j): level 1 at k, level 2 at j',
    );
  });

  it('shows positions as boxes and coordinates as circles', async () => {
    render(<GraphPanel result={spmm} />);
    const shape = async (name: RegExp): Promise<string | null | undefined> =>
      (await screen.findByRole('button', { name })).querySelector('.node-outline')?.getAttribute('rx');
    expect(await shape(/jpos0/)).toBe('6');
    expect(await shape(/: i0/)).toBe('21');
  });

  it('lights what is pointed at, and only that', async () => {
    render(<GraphPanel result={mttkrp} />);
    await screen.findByRole('button', { name: /^Loop 2: k/ });
    act(() => links.point(['var:k']));
    await waitFor(() => expect(lit()).toEqual(['var:k']));
    act(() => links.point(['level:B:2']));
    expect(lit()).toEqual([]);
    expect([...document.querySelectorAll('.station[data-linked]')].map((one) => one.getAttribute('data-link'))).toEqual(
      ['level:B:2'],
    );
    expect(document.querySelectorAll('.tensor-path-lit')).toHaveLength(1);
  });

  it('has one part in the tab order', async () => {
    render(<GraphPanel result={spmm} />);
    await screen.findByRole('button', { name: /jpos0/ });
    expect(document.querySelectorAll('[data-item][tabindex="0"]')).toHaveLength(1);
  });

  it('teaches when there is nothing to draw', () => {
    render(<GraphPanel result={emptyView('')} />);
    expect(screen.getByText('No iteration graph yet. It appears when the expression compiles.')).toBeTruthy();
  });
});
