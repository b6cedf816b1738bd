import { act, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { useAfterPaint } from './use-after-paint';

let frames: FrameRequestCallback[] = [];

beforeEach(() => {
  frames = [];
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  vi.stubGlobal('requestAnimationFrame', (frame: FrameRequestCallback) => frames.push(frame));
  vi.stubGlobal('cancelAnimationFrame', (number: number) => {
    frames[number - 1] = () => undefined;
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const paint = (): void =>
  act(() => {
    frames.forEach((frame) => frame(0));
    vi.runAllTimers();
  });

const values = () => renderHook(({ value }) => useAfterPaint(value), { initialProps: { value: 'first' } });

it('changes behind the frame, to the newest value', () => {
  const { result, rerender } = values();
  expect(result.current).toBe('first');
  paint();
  rerender({ value: 'second' });
  act(() => vi.runAllTimers());
  expect(result.current).toBe('first');
  rerender({ value: 'third' });
  paint();
  expect(result.current).toBe('third');
});

it('waits for no frame where the page is out of sight', () => {
  vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
  const { result, rerender } = values();
  rerender({ value: 'second' });
  act(() => vi.runAllTimers());
  expect(result.current).toBe('second');
  expect(frames).toEqual([]);
});
