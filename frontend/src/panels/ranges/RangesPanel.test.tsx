import { cleanup, fireEvent, render as renderBare, screen, within } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import type { ReactElement, ReactNode } from 'react';
import { createStore, StoreProvider } from '../../state/store';
import { convolution } from '../../viz/ranges/fixture';
import RangesPanel from './RangesPanel';

const store = createStore();
const render = (panel: ReactElement) =>
  renderBare(panel, {
    wrapper: ({ children }: { children: ReactNode }) => <StoreProvider value={store}>{children}</StoreProvider>,
  });

afterEach(cleanup);

const cells = (row: HTMLElement): (string | null)[] =>
  within(row)
    .getAllByRole('cell')
    .map(({ textContent }) => textContent);

describe('ranges panel', () => {
  it('has a row for each round, the answers, the result and what is checked', () => {
    render(<RangesPanel result={convolution} />);
    const [, first, second] = screen.getAllByRole('row');
    if (first === undefined || second === undefined) throw new Error('rows are missing');
    expect(cells(first)).toEqual(['1', 'W(x)', '0 <= x < K', '', 'x in 0:K', '0 … 2']);
    expect(cells(second)).toEqual(['2', 'I(i+x)', '0 <= i + x < N', 'x in 0:K', 'i in 0:N - K + 1', '0 … 5']);
    expect(screen.getByRole('region', { name: 'Results' }).textContent).toContain('O(0:N - K + 1)');
    expect(screen.getByRole('region', { name: 'Checked at each call' }).textContent).toContain('0 <= N - K + 1');
    expect(screen.getByText(/The plan fixes K = 3/).textContent).toContain('examples, for N = 8');
  });

  it('offers the range that would help', () => {
    const fix = { title: 'Write where i in 0:2', expression: 'text', schedule: null, formats: {} };
    const diagnostic = {
      code: 'tc/unresolved',
      message: 'the range of i does not follow',
      severity: 'error' as const,
      location: null,
      expected: null,
      found: null,
      candidates: [],
      hint: 'say it: where i in 0:…',
      fixes: [fix],
      evidence: [],
    };
    const result = { ...convolution, diagnostics: [diagnostic] } as unknown as typeof convolution;
    render(<RangesPanel result={result} />);
    const missing = screen.getByRole('region', { name: 'What is missing' });
    expect(missing.textContent).toContain('say it: where i in 0:…');
    fireEvent.click(within(missing).getByRole('button', { name: 'Write where i in 0:2' }));
    expect(store.get().draft.expression).toBe('text');
  });

  it('waits for the names', () => {
    render(<RangesPanel result={{ ...convolution, ranges: null }} />);
    expect(screen.getByText('The ranges appear once every name is defined.')).toBeTruthy();
  });
});
