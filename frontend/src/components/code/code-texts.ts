/** The texts that the Code pane can show: the target's code and the stages that are code. */
import type { CodeView, CompileView } from '../../api/types';
import { CODE_LANGUAGES } from '../../plan/targets';

export interface CodeText {
  readonly id: string;
  readonly title: string;
  readonly code: CodeView;
}

/** The target's text first, then the stages that are code. */
export function textsOf(result: CompileView): CodeText[] {
  const texts: CodeText[] = [];
  if (result.code) texts.push({ id: 'target', title: CODE_LANGUAGES[result.code.language].title, code: result.code });
  for (const stage of result.stages) {
    if (stage.code?.language === 'loops') texts.push({ id: stage.id, title: stage.title, code: stage.code });
  }
  return texts;
}
