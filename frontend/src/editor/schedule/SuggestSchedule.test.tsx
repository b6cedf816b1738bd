import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Draft } from '../../plan/plan';
import { catalog } from '../../state/catalog';
import { createStore, StoreProvider } from '../../state/store';
import { SuggestSchedule } from './SuggestSchedule';

const FOUND = {
  ok: true,
  rule: 'row-sums',
  title: 'A sum in a register for each row',
  schedule: ['balance(i, i0, i1, A, 16)', 'parallelize(i0, CPUThread, NoRaces)'],
  reasons: ['Rows of A differ 40-fold: balanced by nonzeros.'],
  formats: [],
  languages: [],
  quantities: [],
  diagnostics: [],
};

const NOTHING_KNOWN = { program: '', canonical: '', names: {}, key: '', offers: [], kept_out: [] };

function answering(view: unknown, known: unknown = NOTHING_KNOWN, language: Draft['language'] = 'notation') {
  const asked: string[] = [];
  vi.stubGlobal('fetch', (address: string | URL | Request) => {
    const url = address instanceof Request ? address.url : String(address);
    asked.push(url);
    return Promise.resolve(new Response(JSON.stringify(url.includes('/tuned/') ? known : view)));
  });
  const store = createStore();
  store.update({ kind: 'open', draft: { ...store.get().draft, language } });
  render(
    <StoreProvider value={store}>
      <SuggestSchedule />
    </StoreProvider>,
  );
  fireEvent.click(screen.getByRole('button', { name: 'Choose a schedule for me' }));
  return Object.assign(store, { asked });
}

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

describe('the button that chooses a schedule', () => {
  it('writes the commands into the editor, says why, and is undone as one step', async () => {
    const store = answering(FOUND);
    const before = store.get().draft.schedule;
    expect(await screen.findByText('Rows of A differ 40-fold: balanced by nonzeros.')).toBeDefined();
    expect(store.get().draft.schedule).toBe(FOUND.schedule.join('\n'));
    store.undo();
    expect(store.get().draft.schedule).toBe(before);
  });

  it('chooses for the machine of the list, and for the usual one where none was chosen', async () => {
    catalog.set({
      ...catalog.get(),
      suggestion_machines: [
        { name: 'x86-64', title: 'x86-64, 8 threads' },
        { name: 'browser', title: 'this browser' },
      ],
    });
    const store = answering(FOUND);
    expect(await screen.findByText('Rows of A differ 40-fold: balanced by nonzeros.')).toBeDefined();
    expect(store.asked.filter((url) => url.includes('/suggest'))).toEqual(['/api/v1/suggest']);
    fireEvent.click(screen.getByRole('button', { name: 'More ways to a schedule' }));
    fireEvent.click(screen.getByRole('menuitem', { name: 'Choose one for this browser' }));
    await waitFor(() => expect(store.asked.at(-1)).toContain('/tuned/'));
    expect(store.asked).toContain('/api/v1/suggest?machine=browser');
  });

  it('offers another format, and chooses again for it', async () => {
    const reason = '5 diagonals hold all entries of A.';
    const store = answering({ ...FOUND, formats: [{ tensor: 'A', format: 'dia(8)', reason }] });
    expect(await screen.findByText(reason)).toBeDefined();
    store.update({ kind: 'schedule', text: FOUND.schedule.join('\n') });
    fireEvent.click(screen.getByRole('button', { name: 'Store A as dia(8)' }));
    expect(store.get().draft.tensors['A']?.format).toBe('dia(8)');
    expect(await screen.findByText(reason)).toBeDefined();
  });

  it('asks for steps of patterns, of which no search keeps any', async () => {
    const title = 'Reductions in vector lanes';
    const store = answering({ ...FOUND, title, schedule: ['vectorReduce(reduce1)'] }, NOTHING_KNOWN, 'patterns');
    expect(await screen.findByText(title)).toBeDefined();
    expect(store.get().draft.schedule).toBe('vectorReduce(reduce1)');
    expect(store.asked.filter((url) => url.includes('/tuned/'))).toEqual([]);
  });

  it('offers what a search found for the same program', async () => {
    const schedule = ['parallelize(i, CPUThread, NoRaces)'];
    const offer = {
      schedule,
      formats: {},
      median_ns: 41_000,
      machine: 'a machine',
      gain: 1.5,
      date: '2026-11-25T10:00:00+00:00',
      nearness: 'this very case',
      plan: { version: 2, expression: 'y(i) = A(i,j) * x(j)', schedule },
    };
    const store = answering(FOUND, { ...NOTHING_KNOWN, offers: [offer] });
    expect(
      await screen.findByText(
        "41.0 µs on a machine, 1.50 times as fast as the rules' schedule there; found for this very case, 2026-11-25",
      ),
    ).toBeDefined();
    fireEvent.click(screen.getByRole('button', { name: 'Use what a search found' }));
    expect(store.get().draft.schedule).toBe(schedule[0]);
  });

  it('leaves the schedule alone when there is none to choose, and says so', async () => {
    const message = 'Each thread counts and fills rows of its own, but the outermost level of C stores what is found.';
    const store = answering({ ...FOUND, ok: false, schedule: [], diagnostics: [{ message }] });
    expect(await screen.findByText(message)).toBeDefined();
    expect(store.get().draft).toEqual(createStore().get().draft);
  });
});
