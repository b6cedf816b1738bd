import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { readSearch } from '../../viz/tuner/search-log';
import { ParallelGenes } from './ParallelGenes';

const candidate = (id: number, genes: readonly number[], seconds: number) => ({
  event: 'candidate', id, generation: 0, origin: 'random', parents: [], sources: [], mutated: [], genes,
  schedule: [], formats: {}, plan: `plan ${id}`, seconds, reason: '',
}); // prettier-ignore
const GENES = [
  { name: 'order', values: ['i j', 'j i'], meaning: 'loops' },
  { name: 'unroll', values: [1, 2, 4], meaning: 'unrolled' },
];
const search = readSearch([
  { event: 'header', plan: {}, strategy: 'random', seed: 7, points: 6, genes: GENES },
  candidate(0, [0, 0], 4e-6),
  candidate(1, [1, 0], 2e-6),
  candidate(2, [1, 1], 2.1e-6),
]);
if (search === null) throw new Error('no search');

afterEach(cleanup);

describe('the genes of all schedules', () => {
  it('begin with the gene that tells most of the times, in words as well', () => {
    render(<ParallelGenes search={search} chosen={1} onChoose={() => undefined} />);
    expect(screen.getByRole<HTMLSelectElement>('combobox', { hidden: true }).value).toBe('order');
    const rows = screen.getAllByRole('row', { hidden: true }).slice(1);
    expect(rows.map((row) => [...row.children].slice(0, 4).map(({ textContent }) => textContent))).toEqual([
      ['i j', '1', '4.00 µs', '4.00 µs'],
      ['j i', '2', '2.00 µs', '2.00 µs'],
    ]);
  });

  it('can be held to one value, and let go', () => {
    const { container } = render(<ParallelGenes search={search} chosen={1} onChoose={() => undefined} />);
    const apart = (): number => container.querySelectorAll('.tuner-line.apart').length;
    const button = screen.getByRole('button', { name: 'Only these: order j i', hidden: true });
    fireEvent.click(button);
    expect([apart(), button.getAttribute('aria-pressed')]).toEqual([1, 'true']);
    fireEvent.click(button);
    expect([apart(), button.getAttribute('aria-pressed')]).toEqual([0, 'false']);
  });

  it('show another gene, of which a value was not tried', () => {
    render(<ParallelGenes search={search} chosen={1} onChoose={() => undefined} />);
    fireEvent.change(screen.getByRole('combobox', { hidden: true }), { target: { value: 'unroll' } });
    const never = screen.getByRole<HTMLButtonElement>('button', { name: 'Only these: unroll 4', hidden: true });
    expect(never.disabled).toBe(true);
  });

  it('are chosen by a press on a line', () => {
    const choose = vi.fn();
    const { container } = render(<ParallelGenes search={search} chosen={null} onChoose={choose} />);
    const line = container.querySelector('.tuner-line');
    if (line === null) throw new Error('no line');
    fireEvent.click(line);
    expect(choose).toHaveBeenCalledOnce();
  });
});
