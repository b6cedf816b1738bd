import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import type { DatasetView } from '../../../api/types';
import { addDataset, catalog } from '../../../state/catalog';
import { KeptData } from './KeptData';

const DATA: DatasetView = {
  id: `sha256:${'0'.repeat(64)}`,
  name: 'mine.mtx',
  origin: 'upload',
  shape: [2, 2],
  nnz: 1,
  summary: '',
  bytes: 60,
  own: true,
  kept_days: 90,
};

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function answer(status: number, body: unknown) {
  const fetch = vi.fn(() => Promise.resolve(new Response(JSON.stringify(body), { status })));
  vi.stubGlobal('fetch', fetch);
  return fetch;
}

it('lets whoever uploaded data delete them, and takes them out of the list', async () => {
  const fetch = answer(200, DATA);
  const onDeleted = vi.fn();
  addDataset(DATA);
  render(<KeptData dataset={DATA} onDeleted={onDeleted} />);
  fireEvent.click(screen.getByRole('button', { name: 'Delete the upload mine.mtx' }));
  await waitFor(() => expect(onDeleted).toHaveBeenCalledOnce());
  expect(fetch.mock.calls[0]?.slice(0, 2)).toMatchObject([
    expect.stringContaining(`/datasets/${encodeURIComponent(DATA.id)}`),
    { method: 'DELETE' },
  ]);
  expect(catalog.get().datasets).toEqual([]);
});

it('says why data cannot be deleted, and keeps them', async () => {
  answer(409, { type: 'urn:heddle:problem:in-use', title: 'The upload is in use', status: 409, detail: 'A link.' });
  const onDeleted = vi.fn();
  render(<KeptData dataset={DATA} onDeleted={onDeleted} />);
  fireEvent.click(screen.getByRole('button', { name: /Delete the upload/ }));
  expect(await screen.findByText(/in use/)).toBeTruthy();
  expect(onDeleted).not.toHaveBeenCalled();
});

it('offers nobody else to delete them', () => {
  render(<KeptData dataset={{ ...DATA, own: false }} onDeleted={vi.fn()} />);
  expect(screen.queryByRole('button')).toBeNull();
});
