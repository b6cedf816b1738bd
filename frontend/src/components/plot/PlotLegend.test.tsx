import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { namesBeside } from './legend';
import { PlotLegend } from './PlotLegend';

afterEach(cleanup);

it('lists every line by its whole name, and pressing one asks to hide or to show it', () => {
  const data = ['short rows in slots of MUTAG', 'PyG on MUTAG', 'vertices outermost'].map((name) => ({ name }));
  const lines = namesBeside({ data, layout: { showlegend: true } }, 330);
  const onToggle = vi.fn();
  render(<PlotLegend lines={lines} hidden={['PyG on MUTAG']} onToggle={onToggle} />);
  const buttons = screen.getAllByRole('button');
  expect(screen.getByRole('group', { name: 'Lines of the figure' })).toBeTruthy();
  expect(buttons.map((one) => [one.textContent, one.getAttribute('aria-pressed')])).toEqual([
    ['short rows in slots of MUTAG', 'true'],
    ['PyG on MUTAG', 'false'],
    ['vertices outermost', 'true'],
  ]);
  expect(buttons.map((one) => one.querySelectorAll('path').length)).toEqual([2, 2, 2]);
  for (const one of buttons) fireEvent.click(one);
  expect(onToggle.mock.calls.flat()).toEqual(data.map(({ name }) => name));
});
