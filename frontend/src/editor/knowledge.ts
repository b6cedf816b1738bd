/** What the editors know about their text: the commands of the service and the last compile. Part of the editor's state. */
import { StateEffect, StateField } from '@codemirror/state';
import type { CommandSpecView, CompileView } from '../api/types';

export interface Knowledge {
  readonly commands: readonly CommandSpecView[];
  readonly result: CompileView | null;
  /** The answer to the text in the editor, where `result` is the last one that has pictures. */
  readonly latest: CompileView | null;
}

export const setKnowledge = StateEffect.define<Knowledge>();

export const knowledgeField = StateField.define<Knowledge>({
  create: () => ({ commands: [], result: null, latest: null }),
  update: (value, transaction) =>
    transaction.effects.reduce((latest, effect) => (effect.is(setKnowledge) ? effect.value : latest), value),
});
