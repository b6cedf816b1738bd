import { act, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { getDecomposition, stopDecomposition } from '../api/client';
import type { DecompositionView } from '../api/types';
import { useDecomposition } from './use-decomposition';

vi.mock('../api/client', async (original) => ({
  ...(await original<object>()),
  stopDecomposition: vi.fn(),
  getDecomposition: vi.fn(),
}));

/** The stream of the only run that is watched. */
class Stream extends EventTarget {
  static latest: Stream;
  readyState = 1;
  constructor() {
    super();
    Stream.latest = this;
  }
  close(): void {
    this.readyState = 2;
  }
}

beforeEach(() => vi.stubGlobal('EventSource', Stream));
afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetAllMocks();
});

it('says that it stops at the press, before the service has answered', () => {
  vi.mocked(stopDecomposition).mockReturnValue(new Promise(() => undefined));
  const { result } = renderHook(() => useDecomposition('run'));
  act(() => void result.current.stop());
  expect(stopDecomposition).toHaveBeenCalledWith('run');
  expect([result.current.watched.stopping, result.current.busy]).toEqual([true, true]);
});

it('is over with the sweeps that were made, when the stream ends', async () => {
  vi.mocked(stopDecomposition).mockResolvedValue({} as DecompositionView);
  const ended = {
    state: 'done',
    problem: null,
    result: { history: [], stopped: 'asked' },
  } as unknown as DecompositionView;
  vi.mocked(getDecomposition).mockResolvedValue(ended);
  const { result } = renderHook(() => useDecomposition('run'));
  await act(async () => await result.current.stop());
  await act(async () => Stream.latest.dispatchEvent(new Event('end')));
  const { stopping, view } = result.current.watched;
  expect([stopping, view, result.current.busy]).toEqual([false, ended, false]);
});

it('can be stopped again where the service did not take it', async () => {
  vi.mocked(stopDecomposition).mockRejectedValue(new Error('no connection'));
  const { result } = renderHook(() => useDecomposition('run'));
  await act(async () => await result.current.stop());
  expect(result.current.watched.stopping).toBe(false);
  expect(result.current.watched.problem).not.toBeNull();
});
