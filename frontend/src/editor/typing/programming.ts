/** What programmers expect of an editor of several lines: comments, several cursors, find and replace. */
import { search, searchKeymap } from '@codemirror/search';
import { EditorState } from '@codemirror/state';
import type { Extension } from '@codemirror/state';
import { keymap, rectangularSelection } from '@codemirror/view';

export const programming: Extension = [
  EditorState.languageData.of(() => [{ commentTokens: { line: '#' } }]),
  EditorState.allowMultipleSelections.of(true),
  rectangularSelection(),
  search({ top: true }),
  keymap.of(searchKeymap),
];
