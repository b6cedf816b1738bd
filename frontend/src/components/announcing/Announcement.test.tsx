import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Announcement, REST_MS } from './Announcement';

describe('an announcement', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => {
    cleanup();
    vi.useRealTimers();
  });
  const said = () => screen.getByRole('status').textContent;
  const pass = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds));

  it('says what has rested, and nothing of what went by', async () => {
    const heard: (string | null)[] = [];
    const { rerender } = render(<Announcement text="1 error. There is no variable k." />);
    for (const text of ['Compiled', '2 errors. There is no variable kk.', 'Compiled']) {
      await pass(REST_MS / 2);
      heard.push(said());
      rerender(<Announcement text={text} />);
    }
    expect(heard).toEqual(['', '', '']);
    await pass(REST_MS);
    expect(said()).toBe('Compiled');
  });
});
