/** The plans that were left when another language was chosen: whoever comes back finds them as they were. */
import type { Draft, ExpressionLanguage } from '../../plan/plan';
import { createExternal } from '../external';

type Left = Readonly<Partial<Record<ExpressionLanguage, Draft>>>;

const left = createExternal<Left>({});

/** The plan to open in `language`: the one that was left there, or else the `first` one. */
export function inLanguage(draft: Draft, language: ExpressionLanguage, first: Draft): Draft {
  left.set({ ...left.get(), [draft.language]: draft });
  return left.get()[language] ?? first;
}
