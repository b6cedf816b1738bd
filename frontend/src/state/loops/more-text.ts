/** Asks for the lines of a long text that the answer to a compile had no room for. */
import { getMoreText, toProblem } from '../../api/client';
import type { CodeView, CompileView, TextView } from '../../api/types';
import type { PlanDocument } from '../../plan/plan';
import type { Store } from '../store';

export type AskText = (plan: PlanDocument, stage: string, line: number) => Promise<TextView>;

const lineCount = (text: string): number => text.split('\n').length;

/** `code` with the lines that follow it. */
export function withMore(code: CodeView, more: CodeView): CodeView {
  return {
    ...more,
    text: `${code.text}\n${more.text}`,
    spans: [...code.spans, ...more.spans],
    symbols: { ...code.symbols, ...more.symbols },
  };
}

/** The answer with more of the text that is shown as `shown`. */
function lengthen(result: CompileView, shown: CodeView, stage: string, more: TextView): CompileView {
  const longer = (code: CodeView): CodeView => (more.code === null ? code : withMore(code, more.code));
  if (result.code === shown) return { ...result, code: longer(shown) };
  return {
    ...result,
    stages: result.stages.map((one) => {
      if (one.id !== stage) return one;
      if (one.code === shown) return { ...one, code: longer(shown) };
      return { ...one, text: `${one.text}\n${more.text}`, left_out: more.left_out };
    }),
  };
}

/** The text of `stage` that is shown as `shown` goes on where it ends. */
export async function showMoreText(
  store: Store,
  shown: CodeView,
  stage: string,
  ask: AskText = getMoreText,
): Promise<void> {
  const drawn = store.get().compile.shown;
  if (drawn === null) return;
  try {
    const more = await ask(drawn.plan, stage, lineCount(shown.text));
    // Another plan, or another press, was faster.
    const { compile } = store.get();
    if (compile.shown !== drawn) return;
    const view = lengthen(drawn.view, shown, stage, more);
    const result = compile.result === drawn.view ? view : compile.result;
    store.patch({ compile: { ...compile, result, shown: { ...drawn, view } } });
  } catch (error) {
    store.patch({ compile: { ...store.get().compile, problem: toProblem(error) } });
  }
}
