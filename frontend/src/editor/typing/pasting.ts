/** What comes into an editor with the clipboard, or is dropped there, in the form that the editor holds. */
import { EditorState, Transaction } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { inOneLine, oneCommandPerLine, plainText } from '../../schedule/pasted-text';

/** What comes with line breaks by other ways than the clipboard, from an input method for one, is put into one line. */
export const oneLine = EditorState.transactionFilter.of((transaction) => {
  if (transaction.newDoc.lines === 1) return transaction;
  const changes: { from: number; to: number; insert: string }[] = [];
  transaction.changes.iterChanges((from, to, _start, _end, inserted) => {
    changes.push({ from, to, insert: inOneLine(plainText(inserted.toString())) });
  });
  // The Enter key alone.
  if (changes.every(({ from, to, insert }) => from === to && insert === '')) return [];
  return { changes, userEvent: transaction.annotation(Transaction.userEvent), scrollIntoView: true };
});

export const pastedExpression = EditorView.clipboardInputFilter.of((text) => inOneLine(plainText(text)));
export const pastedProgram = EditorView.clipboardInputFilter.of(plainText);
export const pastedSchedule = EditorView.clipboardInputFilter.of((text) => oneCommandPerLine(plainText(text)));
