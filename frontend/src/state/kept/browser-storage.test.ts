import { afterEach, describe, expect, it, vi } from 'vitest';
import { storedText, storeText } from './browser-storage';

afterEach(() => {
  vi.unstubAllGlobals();
});

describe('what stays in this browser', () => {
  it('is found again', () => {
    const kept = new Map<string, string>();
    vi.stubGlobal('localStorage', {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, text: string) => kept.set(key, text),
    });
    expect(storedText('heddle.test')).toBeNull();
    storeText('heddle.test', 'here');
    expect(storedText('heddle.test')).toBe('here');
  });

  it('does without a storage, and with a full one', () => {
    const refused = () => {
      throw new DOMException('The quota has been exceeded.', 'QuotaExceededError');
    };
    vi.stubGlobal('localStorage', { getItem: refused, setItem: refused });
    expect(() => storeText('heddle.test', 'lost')).not.toThrow();
    expect(storedText('heddle.test')).toBeNull();
  });
});
