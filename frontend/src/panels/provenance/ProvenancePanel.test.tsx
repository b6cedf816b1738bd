import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { links } from '../../state/links';
import { mttkrp, spmv } from '../../viz/fixtures/compiled';
import { precomputed } from '../../viz/fixtures/graphs';
import ProvenancePanel from './ProvenancePanel';

beforeEach(() => links.clear());
afterEach(cleanup);

describe('provenance graph panel', () => {
  it('labels each relation with its command', async () => {
    render(<ProvenancePanel result={spmv} />);
    expect(await screen.findByRole('button', { name: '3 split: fpos to fpos0, fpos1' })).toBeTruthy();
    act(() => links.point(['command:2']));
    await waitFor(() => expect(screen.getByRole('button', { name: / split:/ }).hasAttribute('data-linked')).toBe(true));
  });

  it('shows the formulas of what is pointed at', async () => {
    render(<ProvenancePanel result={spmv} />);
    fireEvent.pointerOver(await screen.findByRole('button', { name: / fuse:/ }));
    expect(screen.getByText('1 fuse(i, j, f)', { selector: '.details-title code' })).toBeTruthy();
    expect(screen.getByText('i = ⌊f / j_size⌋', { selector: 'dd' })).toBeTruthy();
    fireEvent.pointerOver(screen.getByRole('button', { name: /^fpos:/ }));
    expect(screen.getByText('fpos = fpos0 · 64 + fpos1', { selector: 'dd' })).toBeTruthy();
  });

  it('draws bounds and recovery on demand', async () => {
    render(<ProvenancePanel result={spmv} />);
    fireEvent.click(await screen.findByRole('button', { name: 'Bounds' }));
    expect(await screen.findByText('⟷ ∈ [0, 64)')).toBeTruthy();
    expect(document.querySelectorAll('.flow-bounds')).toHaveLength(8);
    fireEvent.click(screen.getByRole('button', { name: 'Recovery' }));
    expect(await screen.findByText('↩ = A2.crd[fpos]')).toBeTruthy();
    expect(document.querySelectorAll('.flow-search')).toHaveLength(2);
  });

  it('says how a workspace joins two variables, without a recovery', async () => {
    render(<ProvenancePanel result={precomputed} />);
    fireEvent.pointerOver(await screen.findByRole('button', { name: '1 precompute w: j to jw' }));
    expect(screen.getByText('w(jw) is computed first, in loops of its own; w(j) reads it afterwards.')).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Recovery' }));
    expect(document.querySelectorAll('.flow-recovery')).toHaveLength(0);
    expect(document.querySelectorAll('.flow-line').length).toBeGreaterThan(0);
  });

  it('teaches when nothing is derived', async () => {
    render(<ProvenancePanel result={mttkrp} />);
    await screen.findByText(/^Nothing is derived/);
    // Terms in it are buttons that explain themselves.
    expect(document.querySelector('.details-hint')?.textContent).toBe(
      'Nothing is derived: the loops run over the variables of the expression. Try split.',
    );
  });
});
