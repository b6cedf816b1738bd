import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { RunResult } from '../../../api/types';
import { Verdict } from './Verdict';

const result = (noisy: boolean): RunResult =>
  ({
    date: new Date(Date.now() - 38.5 * 60_000).toISOString(),
    entries: [
      { id: 'heddle', label: 'Heddle', median_ns: 34_800 },
      { id: 'scipy', label: 'SciPy', median_ns: 533_000 },
    ],
    conclusion: {
      noisy,
      headline: noisy ? 'Noisy: not conclusive.' : 'SciPy takes 15.3 times as long as Heddle.',
      reasons: noisy ? ['Somebody waited.', 'Repeat the run.'] : [],
    },
  }) as unknown as RunResult;

const button = () => screen.queryByRole('button', { name: 'Measure again' });

describe('the verdict of a run', () => {
  afterEach(cleanup);

  it('is one line with the times, and no button where the run has just been measured', () => {
    const { container } = render(<Verdict result={result(false)} reused={false} onRepeat={vi.fn()} />);
    expect(container.textContent).toBe('Heddle 34.8 µs, SciPy 533 µs. SciPy takes 15.3 times as long as Heddle.');
    expect(button()).toBeNull();
    expect(screen.queryByRole('note')).toBeNull();
  });

  it('says how old a measurement is that answered another run, and measures again', () => {
    const onRepeat = vi.fn();
    render(<Verdict result={result(false)} reused onRepeat={onRepeat} />);
    expect(screen.getByText('measured 38 min ago on this machine')).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Measure again' }));
    expect(onRepeat).toHaveBeenCalledTimes(1);
  });

  it('says its age also where nothing can be run', () => {
    render(<Verdict result={result(false)} reused />);
    expect(screen.getByText('measured 38 min ago on this machine')).toBeTruthy();
    expect(button()).toBeNull();
  });

  it('stays what was stored, and newer rules have their say beside it', () => {
    const newer = { judged_by: '2', conclusion: result(true).conclusion, ratios: {} };
    const old = { ...result(false), judged_by: '0', rejudgement: newer } as RunResult;
    const { container } = render(<Verdict result={old} reused={false} />);
    expect(container.textContent).toBe(
      'Heddle 34.8 µs, SciPy 533 µs. SciPy takes 15.3 times as long as Heddle.' +
        'Judged by rules 0 when it was measured. Rules 2, of today, say: Noisy: not conclusive.',
    );
    expect(screen.queryByRole('note')).toBeNull();
  });

  it('folds what speaks against it', () => {
    render(<Verdict result={result(true)} reused={false} onRepeat={vi.fn()} />);
    expect(screen.getByRole('note').textContent).toContain('Heddle 34.8 µs, SciPy 533 µs. ⚠ Noisy: not conclusive.');
    expect(button()).not.toBeNull();
    expect(screen.getByText('Why?').closest('details')?.open).toBe(false);
    expect(screen.getAllByRole('listitem', { hidden: true }).map(({ textContent }) => textContent)).toEqual([
      'Somebody waited.',
      'Repeat the run.',
    ]);
  });
});
