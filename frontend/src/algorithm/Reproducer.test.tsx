import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import type { AlgorithmDocument, DecompositionResult } from '../api/types';
import { download } from '../components/download';
import { Reproducer } from './Reproducer';

vi.mock('../components/download', () => ({ download: vi.fn() }));
afterEach(cleanup);

const MADE: AlgorithmDocument = {
  algorithm: 'cp-als',
  inputs: { X: { generator: 'zipf', shape: [3, 4], nnz: 5 } },
  parameters: { rank: 2 },
};
const resultOf = (document: AlgorithmDocument): DecompositionResult =>
  ({ document, fit: 0.5, strips: [{ name: 'A' }] }) as unknown as DecompositionResult;

it('saves the document with its result, without pictures', () => {
  render(<Reproducer document={MADE} result={resultOf(MADE)} />);
  expect(screen.getByText(/heddle replay/)).toBeDefined();
  expect(screen.queryByText(/did not ask for the same bits/)).toBeNull();
  fireEvent.click(screen.getByText('Reproducer as .json'));
  const [text, type, name] = vi.mocked(download).mock.calls[0] ?? [];
  expect([type, name]).toEqual(['application/json', 'decomposition.json']);
  expect(JSON.parse(String(text))).toEqual({
    plan: MADE,
    run: { result: { document: MADE, fit: 0.5, strips: [] } },
  });
});

it('says when bits may differ, and that nobody else has a file that was uploaded', () => {
  const other = { ...MADE, parameters: { rank: 2, reproducible: false } };
  render(<Reproducer document={other} result={resultOf(other)} />);
  expect(screen.getByText(/this run did not ask for the same bits/)).toBeDefined();
  cleanup();
  const uploaded = { ...MADE, inputs: { X: { upload: 'sha256:0' } } };
  render(<Reproducer document={uploaded} result={resultOf(uploaded)} />);
  expect(screen.getByText(/^No reproducer: X is a file that was uploaded/)).toBeDefined();
  expect(screen.queryByText('Reproducer as .json')).toBeNull();
});
