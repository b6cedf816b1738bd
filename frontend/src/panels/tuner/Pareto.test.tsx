import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { readSearch } from '../../viz/tuner/search-log';
import { Pareto } from './Pareto';

const candidate = (id: number, seconds: number, bytes: number | null) => ({
  event: 'candidate', id, generation: 0, origin: 'random', parents: [], sources: [], mutated: [], genes: [],
  schedule: [], formats: {}, plan: `plan ${id}`, seconds, reason: '', bytes,
}); // prettier-ignore

function shown(onChoose: (id: number) => void, ...lines: readonly Readonly<Record<string, unknown>>[]) {
  const search = readSearch([
    { event: 'header', plan: {}, strategy: 'random', seed: 7, points: 4, genes: [] },
    ...lines,
  ]);
  if (search === null) throw new Error('no search');
  return render(<Pareto search={search} chosen={1} onChoose={onChoose} />);
}

afterEach(cleanup);

describe('time and memory', () => {
  it('lists what nothing beats in both, and a press shows it', () => {
    const choose = vi.fn();
    shown(choose, candidate(0, 4e-6, 1000), candidate(1, 2e-6, 4000), candidate(2, 5e-6, 4000));
    expect(screen.getAllByRole('rowheader').map(({ textContent }) => textContent)).toEqual(['1', '0']);
    expect(screen.getByRole('img').getAttribute('aria-label')).toBe(
      'Of 3 schedules, 2 are beaten by none in both time and memory.',
    );
    expect(screen.getByRole('button', { name: 'Show candidate 1' }).getAttribute('aria-pressed')).toBe('true');
    fireEvent.click(screen.getByRole('button', { name: 'Show candidate 0' }));
    expect(choose).toHaveBeenCalledWith(0);
  });

  it('says that all take the same', () => {
    shown(() => undefined, candidate(0, 4e-6, 1000), candidate(1, 2e-6, 1000));
    expect(screen.getByRole('img').getAttribute('aria-label')).toContain('All 2 schedules take the same memory');
  });

  it('says that a log knows nothing of memory', () => {
    shown(() => undefined, candidate(0, 4e-6, null));
    expect(screen.queryByRole('img')).toBeNull();
    expect(screen.getByText('Of no schedule here both time and memory are known.')).toBeTruthy();
  });
});
