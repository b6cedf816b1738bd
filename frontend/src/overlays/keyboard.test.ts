import { describe, expect, it } from 'vitest';
import { isPressed, keyText, SHORTCUTS, shortcutOf } from './keyboard';

const press = (key: string, ...held: ('ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey')[]) => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  ...Object.fromEntries(held.map((one) => [one, true])),
});

describe('the table of keys', () => {
  it('gives every key one meaning, and none to a bare letter', () => {
    const all = SHORTCUTS.flatMap(({ keys }) => keys.map(String));
    expect(new Set(all).size).toBe(all.length);
    expect(all.filter((keys) => keys.length === 1)).toEqual([]);
  });

  it('finds the meaning of a press, with Ctrl and with ⌘', () => {
    expect(shortcutOf(press('k', 'ctrlKey'), true)).toBe('palette');
    expect(shortcutOf(press('K', 'metaKey'), true)).toBe('palette');
    expect(shortcutOf(press('Z', 'ctrlKey', 'shiftKey'), false)).toBe('redo');
    expect(shortcutOf(press('F8', 'shiftKey'), true)).toBe('previous-problem');
    expect(shortcutOf(press('k'), false)).toBeNull();
  });

  it('leaves undo to a field that has the focus', () => {
    expect(shortcutOf(press('z', 'ctrlKey'), true)).toBeNull();
    expect(shortcutOf(press('z', 'ctrlKey'), false)).toBe('undo');
  });

  it('reads Alt by the place of the key, since a Mac types π there', () => {
    expect(isPressed('Alt+P', { ...press('π', 'altKey'), code: 'KeyP' })).toBe(true);
    expect(keyText('Mod+K', true)).toBe('⌘+K');
  });
});
