import { fireEvent } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { REST_MILLISECONDS, watchTips } from './watch-tips';

const shown = () => document.querySelector('[role=tooltip]');

describe('tips', () => {
  let stop: () => void;
  beforeEach(() => {
    vi.useFakeTimers();
    HTMLElement.prototype.showPopover ??= () => undefined;
    document.body.innerHTML =
      '<button id="a" data-tip="Undoes (Ctrl+Z)">Undo</button><label id="b" data-tip="In rows"><input id="c"></label>' +
      '<button id="d" aria-label="Zoom in" data-tip="Zoom in">+</button><dialog id="e"><i id="f" data-tip="Deep">x</i></dialog>' +
      '<main id="g"><i id="h" data-tip="Main">x</i></main>';
    stop = watchTips(document);
  });
  afterEach(() => {
    stop();
    document.body.replaceChildren();
    vi.useRealTimers();
  });
  const by = (id: string): HTMLElement => {
    const element = document.getElementById(id);
    if (element === null) throw new Error(id);
    return element;
  };
  const focus = (id: string) => {
    const element = by(id);
    vi.spyOn(element, 'matches').mockReturnValue(true); // :focus-visible, which nothing here computes
    fireEvent.focusIn(element);
  };

  it('show at once what has the focus, also inside what is explained, and describe it', () => {
    focus('a');
    expect(shown()?.textContent).toBe('Undoes (Ctrl+Z)');
    expect(by('a').getAttribute('aria-describedby')).toBe(shown()?.id);
    focus('c');
    expect(shown()?.textContent).toBe('In rows');
    expect(by('a').hasAttribute('aria-describedby')).toBe(false);
    fireEvent.focusOut(by('c'));
    expect(shown()).toBeNull();
  });

  it('stand in the part of the page that what they explain is in', () => {
    for (const [id, place] of [
      ['f', by('e')],
      ['h', by('g')],
      ['a', document.body],
    ] as const) {
      focus(id);
      expect(shown()?.parentElement).toBe(place);
    }
  });

  it('do not say a name twice', () => {
    focus('d');
    expect(shown()?.textContent).toBe('Zoom in');
    expect(by('d').hasAttribute('aria-describedby')).toBe(false);
  });

  it('show where the pointer rests, and not where it goes by', () => {
    fireEvent.pointerOver(by('a'), { pointerType: 'mouse', clientX: -1 });
    vi.advanceTimersByTime(REST_MILLISECONDS - 1);
    fireEvent.pointerOver(by('b'), { pointerType: 'mouse', clientX: -1 });
    vi.advanceTimersByTime(REST_MILLISECONDS - 1);
    expect(shown()).toBeNull();
    vi.advanceTimersByTime(1);
    expect(shown()?.textContent).toBe('In rows');
    fireEvent.pointerOver(document.body, { pointerType: 'mouse', clientX: -1 });
    vi.advanceTimersByTime(REST_MILLISECONDS);
    expect(shown()).toBeNull();
  });

  it('close with Escape before the dialog around them does', () => {
    focus('f');
    expect(by('e').contains(shown())).toBe(true);
    expect(fireEvent.keyDown(by('f'), { key: 'Escape' })).toBe(false);
    expect(shown()).toBeNull();
    expect(fireEvent.keyDown(by('f'), { key: 'Escape' })).toBe(true);
  });

  it('go with what they explain, and change with it', async () => {
    focus('a');
    by('a').dataset.tip = 'Nothing to undo';
    await vi.waitFor(() => expect(shown()?.textContent).toBe('Nothing to undo'));
    by('a').remove();
    await vi.waitFor(() => expect(shown()).toBeNull());
  });
});
