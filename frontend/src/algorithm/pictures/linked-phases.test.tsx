import { cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { links } from '../../state/links';
import type { RoleRecord } from '../kernels/KernelTable';
import { KernelTable } from '../kernels/KernelTable';
import { SweepPicture } from './SweepPicture';
import { TimeShares } from './TimeShares';

afterEach(() => {
  cleanup();
  links.clear();
});

const HISTORY = [
  {
    sweep: 1,
    fit: 0.5,
    resolved: true,
    seconds: 1,
    phases: { 'mttkrp.0': 0.5, 'mttkrp.1': 0.25, 'solve.0': 0.125, fit: 0.125 },
  },
];

const role = (name: string): RoleRecord => ({
  role: name,
  title: '',
  mode: 0,
  expression: 'V(i,r) = X(i,j) * A(j,r)',
  format: 'csr',
  schedule: [],
  method: 'rows',
  reasons: [],
  bytes: 0,
  atomics: {},
  plan: { expression: '', formats: {}, schedule: '' } as unknown as RoleRecord['plan'],
});

function page() {
  render(
    <>
      <SweepPicture algorithm="cp-als" history={HISTORY} />
      <TimeShares history={HISTORY} packing={2.5} />
      <KernelTable label="Kernels" caption="" roles={[role('mttkrp.0'), role('mttkrp.1')]} />
    </>,
  );
}

const lit = (): string[] =>
  [...document.querySelectorAll('[data-linked]')].map(
    (element) => `${element.tagName} ${element.getAttribute('data-link') ?? ''}`,
  );

describe('a role of the table', () => {
  it('lights its part of the picture, its bars and its row of times', () => {
    page();
    const kernels = within(screen.getByRole('region', { name: 'Kernels' }));
    fireEvent.pointerEnter(kernels.getByRole('row', { name: /^mttkrp\.1/ }));
    expect(lit()).toEqual([
      'LI phase:mttkrp.0 phase:mttkrp.1',
      'SPAN phase:mttkrp.1',
      'SPAN phase:mttkrp.1',
      'TR phase:mttkrp.1',
      'TR phase:mttkrp.1',
    ]);
    fireEvent.pointerLeave(kernels.getByRole('row', { name: /^mttkrp\.1/ }));
    expect(lit()).toEqual([]);
  });

  it('does so while its link has the focus, which still opens by the keyboard', () => {
    page();
    const link = screen.getByRole('link', { name: 'Open mttkrp.0 in the explorer' });
    fireEvent.focus(link);
    expect(lit()).toContain('TR phase:mttkrp.0');
    expect(fireEvent.keyDown(link, { key: 'Enter' })).toBe(true);
    fireEvent.blur(link);
    expect(lit()).toEqual([]);
  });

  it('is lit by its step of the picture', () => {
    page();
    const [multiply] = within(screen.getByRole('region', { name: 'One sweep' })).getAllByRole('listitem');
    fireEvent.focus(multiply as HTMLElement);
    expect(lit().filter((one) => one.startsWith('TR'))).toHaveLength(4);
  });
});

describe('the bar of sorting', () => {
  it('stands beside that of a sweep, in one scale and in words', () => {
    page();
    expect(screen.getByTestId('sorting').textContent).toContain('took 2.50 s once, as long as 2.50 sweeps.');
    const width = (step: string) =>
      document.querySelector<HTMLElement>(`.beside-once [data-step='${step}']`)?.style.inlineSize;
    expect([width('sorting'), width('fit')]).toEqual(['100%', '5%']);
  });

  it('is not drawn while nobody knows how long it took', () => {
    render(<TimeShares history={HISTORY} />);
    expect(screen.queryByTestId('sorting')).toBeNull();
    expect(document.querySelectorAll('.stacked span')).toHaveLength(4);
  });
});
