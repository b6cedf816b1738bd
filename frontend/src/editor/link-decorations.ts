/** Linked highlighting inside an editor: identifiers light up with the page, and light the page from pointer and cursor. */
import { RangeSetBuilder, StateEffect } from '@codemirror/state';
import type { Extension } from '@codemirror/state';
import { Decoration, EditorView, ViewPlugin } from '@codemirror/view';
import type { DecorationSet, PluginValue, ViewUpdate } from '@codemirror/view';
import { links } from '../state/links';
import type { LinkId } from '../state/links';
import { setKnowledge } from './knowledge';

export interface EditorMark {
  readonly from: number;
  readonly to: number;
  readonly ids: readonly LinkId[];
  readonly className: string;
  /** A mark of a whole line decorates the line at `from`. */
  readonly line?: boolean;
}

/** Asks the editor to look again: what is lit has changed. */
const refresh = StateEffect.define<null>();

/** `identify` finds the marks of a stretch of the text, in order of `from`, lines first. */
export function linkDecorations(identify: (view: EditorView, from: number, to: number) => EditorMark[]): Extension {
  class Links implements PluginValue {
    decorations: DecorationSet;
    private readonly unsubscribe: () => void;
    private queued = false;

    constructor(view: EditorView) {
      this.decorations = this.build(view);
      // Queued: a light may change while this or another editor is in the middle of an update.
      this.unsubscribe = links.subscribe(() => {
        if (this.queued) return;
        this.queued = true;
        queueMicrotask(() => {
          this.queued = false;
          if (view.dom.isConnected) view.dispatch({ effects: refresh.of(null) });
        });
      });
    }

    update(update: ViewUpdate): void {
      const asked = update.transactions.some((transaction) =>
        transaction.effects.some((effect) => effect.is(refresh) || effect.is(setKnowledge)),
      );
      if (update.docChanged || update.viewportChanged || asked) this.decorations = this.build(update.view);
      if (update.focusChanged && !update.view.hasFocus) links.point([]);
      else if ((update.selectionSet || update.focusChanged) && update.view.hasFocus) this.pointAtCursor(update.view);
    }

    destroy(): void {
      this.unsubscribe();
    }

    private pointAtCursor(view: EditorView): void {
      const { head } = view.state.selection.main;
      const line = view.state.doc.lineAt(head);
      const marks = identify(view, line.from, line.to).filter((mark) => mark.ids.length > 0);
      const inside = marks.find((mark) => !mark.line && mark.from <= head && head <= mark.to);
      links.point((inside ?? marks.find((mark) => mark.line))?.ids ?? []);
    }

    private build(view: EditorView): DecorationSet {
      const builder = new RangeSetBuilder<Decoration>();
      for (const { from, to } of view.visibleRanges) {
        for (const mark of identify(view, from, to)) {
          const attributes = {
            ...(mark.ids.length > 0 ? { 'data-link': mark.ids.join(' ') } : {}),
            ...(mark.ids.length > 0 && links.isLit(mark.ids) ? { 'data-linked': '' } : {}),
          };
          if (mark.line) builder.add(mark.from, mark.from, Decoration.line({ class: mark.className, attributes }));
          else builder.add(mark.from, mark.to, Decoration.mark({ class: mark.className, attributes }));
        }
      }
      return builder.finish();
    }
  }

  const plugin = ViewPlugin.fromClass(Links, { decorations: (value) => value.decorations });
  const pointer = EditorView.domEventHandlers({
    // Pointer events, as everywhere else on the page: mouse events of what is left come after those of what is entered.
    pointerover: (event) => {
      const target = event.target instanceof Element ? event.target.closest('[data-link]') : null;
      links.point((target?.getAttribute('data-link')?.split(' ') ?? []) as LinkId[]);
    },
    pointerleave: () => links.point([]),
  });
  return [plugin, pointer];
}
