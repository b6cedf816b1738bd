import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import type { CodeView, CompileView } from '../../api/types';
import { spmm, spmv } from '../../viz/fixtures/compiled';
import FrameCode from './FrameCode';

afterEach(cleanup);

const codeOf = (view: CompileView): CodeView => {
  if (view.code === null) throw new Error('the fixture has code');
  return view.code;
};
const frame = (view: CompileView, old: CodeView | null = null) => (
  <FrameCode view={view} code={codeOf(view)} old={old} count={3} />
);

describe('the code of a frame', () => {
  it('is the code, or what it changed since the frame before', () => {
    const { rerender } = render(frame(spmm));
    expect(screen.getByRole('heading').textContent).toBe('Code');
    rerender(frame(spmm, codeOf(spmv)));
    expect(screen.getByRole('heading').textContent).toBe('What changed in the code');
    expect(document.querySelectorAll('.code-added').length).toBeGreaterThan(0);
  });

  it('shows what a pass changed, and keeps to the pass where a frame has it', () => {
    const { rerender } = render(frame(spmm));
    fireEvent.click(screen.getByRole('button', { name: 'Separate full tiles +14 −8' }));
    expect(screen.getByRole('listbox', { name: /^Loops after the pass Separate full tiles/ })).toBeTruthy();
    expect(screen.getByRole('heading').textContent).toMatch(/^Moves the test/);
    rerender(frame(spmv));
    expect(screen.getByRole('button', { name: 'Code' }).getAttribute('aria-pressed')).toBe('true');
    rerender(frame(spmm));
    expect(screen.getByRole('button', { name: /^Separate full tiles/ }).getAttribute('aria-pressed')).toBe('true');
    fireEvent.click(screen.getByRole('button', { name: 'Code' }));
    expect(screen.getByRole('listbox', { name: /^Code after 3 commands/ })).toBeTruthy();
  });

  it('says how many passes changed nothing', () => {
    render(frame(spmm));
    const count = spmm.stages.filter(({ changed }) => !changed).length;
    expect(screen.getByText(`${count} passes changed nothing`)).toBeTruthy();
  });
});
