/** A whole number of a schedule under a slider, from a press on it: pictures and code follow while it is dragged. */
import { StateField } from '@codemirror/state';
import type { EditorState, Extension, Text } from '@codemirror/state';
import { keymap, showTooltip } from '@codemirror/view';
import type { EditorView, Tooltip, TooltipView } from '@codemirror/view';
import { scheduleNumbers, stopsFor } from '../../schedule/schedule-numbers';

/** Of a transaction: the number moved, and nobody typed. */
const SLIDE = 'slide';

export interface WholeNumber {
  readonly from: number;
  readonly to: number;
  readonly value: number;
}

/** The number that a place of a text touches; null where there is none, or where it is part of a comment. */
export function numberAt(doc: Text, place: number): WholeNumber | null {
  const line = doc.lineAt(place);
  for (const { from, to, value } of scheduleNumbers(line.text)) {
    if (line.from + from <= place && place <= line.from + to) {
      return { from: line.from + from, to: line.from + to, value };
    }
  }
  return null;
}

function slide(view: EditorView, from: number, next: number): void {
  const number = numberAt(view.state.doc, from);
  if (number === null) return;
  const insert = String(next);
  view.dispatch({
    changes: { from: number.from, to: number.to, insert },
    selection: { anchor: number.from + insert.length },
    userEvent: SLIDE,
  });
}

/** To the next stop, or the one before; false where the cursor is at no number. */
function step(view: EditorView, by: 1 | -1): boolean {
  const number = numberAt(view.state.doc, view.state.selection.main.head);
  if (number === null) return false;
  const stops = stopsFor(number.value);
  const next = stops[stops.indexOf(number.value) + by];
  if (next !== undefined) slide(view, number.from, next);
  return true;
}

/** `from` is where the number begins, which stays while it is dragged. */
function sliderOf(state: EditorState, { from, value }: WholeNumber): Tooltip {
  const stops = stopsFor(value);
  const command = state.doc.lineAt(from).text.trim();
  const create = (view: EditorView): TooltipView => {
    const dom = document.createElement('label');
    dom.className = 'number-slider';
    const range = dom.appendChild(document.createElement('input'));
    const shown = dom.appendChild(document.createElement('output'));
    const say = (now: number): void => {
      shown.textContent = String(now);
      range.ariaValueText = String(now);
    };
    range.type = 'range';
    range.max = String(stops.length - 1);
    range.value = String(stops.indexOf(value));
    range.ariaLabel = `${value} in ${command}`;
    say(value);
    range.addEventListener('input', () => slide(view, from, stops[Number(range.value)] ?? value));
    range.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') view.focus();
    });
    return {
      dom,
      update: ({ state: now }) => {
        const number = numberAt(now.doc, from);
        if (number === null) return;
        say(number.value);
        const place = stops.indexOf(number.value);
        if (place >= 0) range.value = String(place);
      },
    };
  };
  return { pos: from, above: false, arrow: false, create };
}

/** Where somebody pressed on a number; typing, and a press elsewhere, take the slider away. */
const slider = StateField.define<Tooltip | null>({
  create: () => null,
  update: (shown, transaction) => {
    if (transaction.isUserEvent(SLIDE)) return shown;
    if (transaction.isUserEvent('select.pointer')) {
      const { main } = transaction.state.selection;
      const number = main.empty ? numberAt(transaction.state.doc, main.head) : null;
      if (number === null) return null;
      return shown?.pos === number.from ? shown : sliderOf(transaction.state, number);
    }
    return transaction.docChanged || transaction.selection !== undefined ? null : shown;
  },
  provide: (field) => showTooltip.from(field),
});

export const numberSlider: Extension = [
  slider,
  keymap.of([
    { key: 'Alt-PageUp', run: (view) => step(view, 1) },
    { key: 'Alt-PageDown', run: (view) => step(view, -1) },
  ]),
];
