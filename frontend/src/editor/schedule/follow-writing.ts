/**
 * Tells which command of the schedule is being written: while its completion is open, and for a moment after each key
 * as long as the cursor stands at the end of a word.
 */
import { completionStatus } from '@codemirror/autocomplete';
import type { EditorState, Extension } from '@codemirror/state';
import { ViewPlugin } from '@codemirror/view';
import type { EditorView, PluginValue, ViewUpdate } from '@codemirror/view';
import { parseSchedule } from '../../schedule/schedule-syntax';

/** Milliseconds after a key: who has not gone on by then wants to know what is wrong. */
export const PAUSE = 1000;

export function followWriting(tell: (command: number | null) => void): Extension {
  return ViewPlugin.define((view) => new Following(view, tell));
}

class Following implements PluginValue {
  private typed = false;
  private timer: number | undefined;

  constructor(
    private readonly view: EditorView,
    private readonly tell: (command: number | null) => void,
  ) {}

  update(update: ViewUpdate): void {
    if (update.docChanged) {
      this.typed = update.transactions.some((one) => one.isUserEvent('input.type') || one.isUserEvent('delete'));
      window.clearTimeout(this.timer);
      if (this.typed) this.timer = window.setTimeout(() => this.paused(), PAUSE);
    } else if (update.selectionSet) this.typed = false;
    this.tell(this.view.hasFocus ? commandBeingWritten(update.state, this.typed) : null);
  }

  destroy(): void {
    window.clearTimeout(this.timer);
    this.tell(null);
  }

  private paused(): void {
    this.typed = false;
    this.tell(commandBeingWritten(this.view.state, false));
  }
}

/** The number of the command at the cursor, or null when it is not being written. */
export function commandBeingWritten(state: EditorState, typed: boolean): number | null {
  const { head } = state.selection.main;
  const inWord = typed && /\w/.test(state.sliceDoc(head - 1, head));
  if (!inWord && completionStatus(state) !== 'active') return null;
  const text = state.doc.toString();
  return parseSchedule(text).findLast(({ from }) => from <= head)?.index ?? null;
}
