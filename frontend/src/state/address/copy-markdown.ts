/** The plan as Markdown, for notes, issues and lecture notes: what is computed, how, the code, and a link back. */
import { toPlan } from '../../plan/plan';
import type { PlanDocument } from '../../plan/plan';
import { CODE_LANGUAGES } from '../../plan/targets';
import type { CodeLanguage } from '../../plan/targets';
import type { Store } from '../store';
import { encodeAddress } from './url-codec';
import { fragmentOf, wholeAddress } from '../../api/site';

interface Code {
  readonly language: CodeLanguage;
  readonly text: string;
}

/** `code` is null where the plan does not compile. */
export function markdownOf(plan: PlanDocument, code: Code | null, url: string): string {
  const formats = Object.entries(plan.tensors ?? {}).map(([name, spec]) =>
    [`\`${name}\``, spec.format, spec.dtype, spec.shape?.join(' × ')].filter(Boolean).join(' '),
  );
  return [
    `**[${plan.expression}](${url})**`,
    ...(formats.length > 0 ? [`Formats: ${formats.join(', ')}. Other tensors are dense float64.`] : []),
    plan.schedule ? fence('text', plan.schedule.join('\n')) : 'No schedule: the loops run in storage order.',
    ...(code ? [fence(CODE_LANGUAGES[code.language].fence, code.text.trimEnd())] : []),
    `[Open in Heddle](${url})\n`,
  ].join('\n\n');
}

/** A fence longer than any run of backticks inside. */
function fence(language: string, text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const marks = '`'.repeat(longest + 1);
  return `${marks}${language}\n${text}\n${marks}`;
}

/** Copies what is on the page. False where the browser does not let the page write to the clipboard. */
export async function copyMarkdown(store: Store): Promise<boolean> {
  const { draft, view, compile } = store.get();
  const fresh = compile.phase === 'done' && compile.result?.ok ? compile.result.code : null;
  const url = wholeAddress(fragmentOf(encodeAddress({ draft, view })));
  try {
    await navigator.clipboard.writeText(markdownOf(toPlan(draft), fresh, url));
    return true;
  } catch {
    return false;
  }
}
