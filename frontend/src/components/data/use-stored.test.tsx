import { act, cleanup, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError, OfflineError, RETRY_MS, TimeoutError } from '../../api/client';
import { useStored } from './use-stored';

interface View {
  readonly stored: string | null;
}
type Get = (asked: { readonly tensor: string }, signal: AbortSignal) => Promise<View>;

const refused = (status: number) =>
  new ApiError({ type: 'about:blank', title: `Refused with ${String(status)}`, status, detail: '', instance: null });
const after = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds));
const ASKED = { tensor: 'y' };

describe('a picture of a tensor', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => {
    cleanup();
    vi.useRealTimers();
  });

  it.each([
    ['that nobody answered', new OfflineError(), 'Not connected'],
    ['that took too long', new TimeoutError(30), 'No answer in time'],
    ['for which the service was busy', refused(429), 'Refused with 429'],
    ['that a proxy lost', refused(502), 'Refused with 502'],
  ])('is asked for again by a request %s', async (_, error, title) => {
    const get = vi.fn<Get>(() => Promise.resolve({ stored: 'drawn' })).mockRejectedValueOnce(error);
    const { result } = renderHook(() => useStored(ASKED, get));
    await after(0);
    expect(result.current).toMatchObject({ stored: null, problem: { title } });
    await after(RETRY_MS);
    expect(result.current).toMatchObject({ stored: 'drawn', problem: null, loading: false });
  });

  it('is not asked for again where it was refused', async () => {
    const get = vi.fn<Get>(() => Promise.reject(refused(422)));
    const { result } = renderHook(() => useStored(ASKED, get));
    await after(3 * RETRY_MS);
    expect(get).toHaveBeenCalledTimes(1);
    expect(result.current.problem?.status).toBe(422);
  });
});
