import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { FitCurve } from './FitCurve';

afterEach(cleanup);

const swept = (sweep: number, seconds: number) => ({ sweep, fit: sweep / 10, resolved: true, seconds, phases: {} });
const HISTORY = [swept(1, 0.5), swept(2, 0.5), swept(3, 1)];
const OTHER = {
  id: 'pyttb' as const,
  label: 'pyttb',
  version: '1.8.6',
  note: '',
  reason: null,
  history: [
    { sweep: 1, fit: 0.1, seconds: 4 },
    { sweep: 2, fit: 0.2, seconds: 4 },
  ],
};
const lines = (): (string | null)[] =>
  [...document.querySelectorAll('polyline')].map((line) => line.getAttribute('points'));

describe('the fit', () => {
  it('runs over sweeps, or over the seconds that each program took', () => {
    render(<FitCurve history={HISTORY} opponents={[OTHER]} />);
    expect(lines()).toEqual(['0.0,140.0 210.0,70.0', '0.0,140.0 210.0,70.0 420.0,0.0']);
    expect(screen.getByText(/sweeps 1 to 3/)).toBeTruthy();
    fireEvent.click(screen.getByRole('checkbox', { name: 'Over seconds' }));
    expect(lines()).toEqual(['210.0,140.0 420.0,70.0', '26.3,140.0 52.5,70.0 105.0,0.0']);
    expect(screen.getByText(/0 to 8.00 s, a point at the end of each sweep/)).toBeTruthy();
  });

  it('says in its table how long it had taken', () => {
    render(<FitCurve history={HISTORY} />);
    const rows = [...document.querySelectorAll('tbody tr')].map((row) => row.lastElementChild?.textContent);
    expect(rows).toEqual(['0.5000', '1.0000', '2.0000']);
  });
});
