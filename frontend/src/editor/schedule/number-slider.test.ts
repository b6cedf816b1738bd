import { EditorState } from '@codemirror/state';
import { EditorView, runScopeHandlers } from '@codemirror/view';
import { afterEach, describe, expect, it } from 'vitest';
import { stopsFor } from '../../schedule/schedule-numbers';
import { numberAt, numberSlider } from './number-slider';

const TEXT = 'split(i, i0, i1, 32)\nparallelize(i0, CPUThread, NoRaces) # 8 threads';
const at = (words: string): number => TEXT.indexOf(words);
let view: EditorView | null = null;

function editor(text = TEXT): EditorView {
  view = new EditorView({
    state: EditorState.create({ doc: text, extensions: [numberSlider] }),
    parent: document.body,
  });
  return view;
}

afterEach(() => {
  view?.destroy();
  view = null;
});

describe('the number of a schedule', () => {
  it('is a whole number of a command, no part of a name or a comment', () => {
    const { doc } = EditorState.create({ doc: TEXT });
    expect(numberAt(doc, at('32'))).toEqual({ from: 17, to: 19, value: 32 });
    expect(numberAt(doc, at('32') + 2)?.value).toBe(32);
    expect(numberAt(doc, at('i0') + 2)).toBeNull();
    expect(numberAt(doc, at('8 threads'))).toBeNull();
  });

  it('goes up and down by keys, and other keys are left alone elsewhere', () => {
    const shown = editor();
    const press = (key: string): boolean =>
      runScopeHandlers(shown, new KeyboardEvent('keydown', { key, altKey: true }), 'editor');
    shown.dispatch({ selection: { anchor: at('32') } });
    press('PageUp');
    press('PageUp');
    expect(shown.state.doc.line(1).text).toBe('split(i, i0, i1, 64)');
    press('PageDown');
    expect(shown.state.doc.line(1).text).toBe('split(i, i0, i1, 48)');
    shown.dispatch({ selection: { anchor: 0 } });
    expect(press('PageUp')).toBe(false);
  });

  it('stands under a slider from a press on it until something else is done', () => {
    const shown = editor();
    const slider = (): HTMLInputElement | null => document.querySelector('.number-slider input');
    shown.dispatch({ selection: { anchor: at('32') + 1 }, userEvent: 'select.pointer' });
    expect(slider()?.ariaLabel).toBe('32 in split(i, i0, i1, 32)');
    for (const value of [128, 1024, 2]) {
      const range = slider();
      if (range === null) throw new Error('no slider');
      range.value = String(stopsFor(32).indexOf(value));
      range.dispatchEvent(new Event('input'));
      expect(shown.state.doc.line(1).text).toBe(`split(i, i0, i1, ${value})`);
      expect(slider()).toBe(range);
    }
    shown.dispatch({ changes: { from: 0, insert: ' ' }, userEvent: 'input.type' });
    expect(slider()).toBeNull();
  });
});
