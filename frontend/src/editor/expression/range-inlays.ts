/** Ranges in the text of a comprehension, behind each index variable where its statement has it first. They are no part
 * of the text, and the Ranges tab says the same in words. */
import type { Extension } from '@codemirror/state';
import { Decoration, ViewPlugin, WidgetType } from '@codemirror/view';
import type { DecorationSet, PluginValue, ViewUpdate, EditorView } from '@codemirror/view';
import type { CompileView } from '../../api/types';
import { knowledgeField, setKnowledge } from '../knowledge';

export interface Inlay {
  readonly at: number;
  readonly text: string;
}

/** Those of a compiled text, in order; none where the text has changed since. */
export function inlaysOf(result: CompileView | null, text: string): Inlay[] {
  if (result === null || result.ranges === null || result.plan['expression'] !== text) return [];
  const found = new Map<number, string>();
  for (const { variables } of result.ranges.statements) {
    for (const { at, interval, reduced } of variables) {
      if (at !== null && interval !== null && !found.has(at)) found.set(at, `${reduced ? ' Σ ' : ' ∈ '}${interval}`);
    }
  }
  return [...found].map(([at, said]) => ({ at, text: said })).sort((one, other) => one.at - other.at);
}

class RangeWidget extends WidgetType {
  constructor(private readonly text: string) {
    super();
  }

  override eq(other: RangeWidget): boolean {
    return other.text === this.text;
  }

  toDOM(): HTMLElement {
    const shown = document.createElement('span');
    shown.className = 'cm-range';
    shown.textContent = this.text;
    shown.setAttribute('aria-hidden', 'true');
    return shown;
  }
}

class Inlays implements PluginValue {
  decorations: DecorationSet;

  constructor(view: EditorView) {
    this.decorations = build(view);
  }

  update(update: ViewUpdate): void {
    const told = update.transactions.some(({ effects }) => effects.some((effect) => effect.is(setKnowledge)));
    if (update.docChanged || told) this.decorations = build(update.view);
  }
}

function build({ state }: EditorView): DecorationSet {
  const inlays = inlaysOf(state.field(knowledgeField).latest, state.doc.toString());
  return Decoration.set(
    inlays.map(({ at, text }) => Decoration.widget({ widget: new RangeWidget(text), side: 1 }).range(at)),
  );
}

export const rangeInlays: Extension = ViewPlugin.fromClass(Inlays, { decorations: ({ decorations }) => decorations });
