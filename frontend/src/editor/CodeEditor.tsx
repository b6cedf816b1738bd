/** A CodeMirror editor whose text is the store's: undo is the page's undo, and a change from outside moves no cursor. */
import { closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap } from '@codemirror/commands';
import { bracketMatching } from '@codemirror/language';
import { diagnosticCount, lintKeymap, setDiagnostics } from '@codemirror/lint';
import type { Diagnostic } from '@codemirror/lint';
import { Annotation } from '@codemirror/state';
import type { Extension } from '@codemirror/state';
import { drawSelection, EditorView, keymap } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import type { RefObject } from 'react';
import { isForeign } from '../schedule/foreign-text';
import { useActions } from '../state/actions';
import { useStore } from '../state/store';
import { knowledgeField, setKnowledge } from './knowledge';
import { oneLine } from './typing/pasting';
import type { Knowledge } from './knowledge';

/** For whom motion is too much, the cursor does not blink; a blinking one also has the page drawn all the time. */
const STILL = '(prefers-reduced-motion: reduce)';

interface Props {
  readonly label: string;
  readonly value: string;
  readonly onChange: (text: string) => void;
  /** Read once, when the editor is made. */
  readonly extensions: Extension;
  readonly diagnostics: readonly Diagnostic[];
  readonly invalid: boolean;
  /** The id of the list of problems, or null when there is none. */
  readonly describedBy: string | null;
  readonly multiline: boolean;
  readonly knowledge: Knowledge;
  readonly viewRef: RefObject<EditorView | null>;
}

const fromOutside = Annotation.define<boolean>();

/** The smallest replacement that turns `before` into `after`, so that cursors outside of it stay. */
export function difference(before: string, after: string): { from: number; to: number; insert: string } {
  let start = 0;
  const shorter = Math.min(before.length, after.length);
  while (start < shorter && before[start] === after[start]) start++;
  let end = 0;
  while (end < shorter - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end++;
  return { from: start, to: before.length - end, insert: after.slice(start, after.length - end) };
}

export function CodeEditor(props: Props) {
  const { label, value, extensions, diagnostics, invalid, describedBy, multiline, knowledge, viewRef } = props;
  const host = useRef<HTMLDivElement>(null);
  const store = useStore();
  const actions = useActions();
  const latest = useRef(props);
  useEffect(() => {
    latest.current = props;
  });

  useEffect(() => {
    if (host.current === null) return;
    const command = (action: () => void) => () => {
      action();
      return true;
    };
    const view = new EditorView({
      parent: host.current,
      doc: latest.current.value,
      extensions: [
        keymap.of([
          { key: 'Mod-Enter', run: command(() => actions.runNow()) },
          { key: 'Mod-z', run: command(() => store.undo()) },
          { key: 'Mod-Shift-z', run: command(() => store.redo()) },
          { key: 'Mod-y', run: command(() => store.redo()) },
          ...closeBracketsKeymap,
          ...completionKeymap,
          // F8 goes through the problems of the whole page.
          ...lintKeymap.filter(({ key }) => key !== 'F8'),
          ...defaultKeymap,
        ]),
        drawSelection(window.matchMedia(STILL).matches ? { cursorBlinkRate: 0 } : {}),
        closeBrackets(),
        bracketMatching(),
        multiline ? [] : [oneLine],
        EditorView.lineWrapping,
        EditorView.domEventHandlers({
          paste: (event) => {
            const text = event.clipboardData?.getData('text/plain') ?? '';
            if (!isForeign(text)) return false;
            event.preventDefault();
            store.openImport(text);
            return true;
          },
        }),
        knowledgeField,
        extensions,
        EditorView.updateListener.of((update) => {
          const outside = update.transactions.some((transaction) => transaction.annotation(fromOutside));
          if (update.docChanged && !outside) latest.current.onChange(update.state.doc.toString());
        }),
      ],
    });
    viewRef.current = view;
    return () => {
      viewRef.current = null;
      view.destroy();
    };
  }, [actions, extensions, multiline, store, viewRef]);

  useEffect(() => {
    const view = viewRef.current;
    if (view === null) return;
    const text = view.state.doc.toString();
    if (text !== value) view.dispatch({ changes: difference(text, value), annotations: fromOutside.of(true) });
  }, [value, viewRef]);

  useEffect(() => {
    const view = viewRef.current;
    if (view === null) return;
    const length = view.state.doc.length;
    const fitting = diagnostics.filter(({ to }) => to <= length);
    // Each transaction puts the cursor where the editor knows it: none comes between two keys without need.
    if (fitting.length === 0 && diagnosticCount(view.state) === 0) return;
    view.dispatch(setDiagnostics(view.state, fitting));
  }, [diagnostics, viewRef]);

  useEffect(() => {
    viewRef.current?.dispatch({ effects: setKnowledge.of(knowledge) });
  }, [knowledge, viewRef]);

  useEffect(() => {
    const content = viewRef.current?.contentDOM;
    content?.setAttribute('aria-label', label);
    content?.setAttribute('aria-invalid', String(invalid));
    if (describedBy === null) content?.removeAttribute('aria-describedby');
    else content?.setAttribute('aria-describedby', describedBy);
    content?.setAttribute('aria-multiline', String(multiline));
  }, [label, invalid, describedBy, multiline, viewRef]);

  return <div ref={host} className={multiline ? 'editor editor-tall' : 'editor'} />;
}
