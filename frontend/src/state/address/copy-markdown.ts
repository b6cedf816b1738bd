/** The plan as Markdown, for notes, issues and lecture notes: what is computed, how, the code, times, and a link back. */
import type { EntryView, RunResult } from '../../api/types';
import { canonicalJson, toPlan } from '../../plan/plan';
import type { PlanDocument } from '../../plan/plan';
import { CODE_LANGUAGES } from '../../plan/targets';
import type { CodeLanguage } from '../../plan/targets';
import { counted, formatInterval, formatNanoseconds, threeDigits } from '../../text/quantities';
import { shownRun } from '../runs/run-state';
import type { Store } from '../store';
import { encodeAddress } from './url-codec';
import { fragmentOf, wholeAddress } from '../../api/site';

interface Code {
  readonly language: CodeLanguage;
  readonly text: string;
}

/** `code` is null where the plan does not compile, and `result` where it was not run. */
export function markdownOf(
  plan: PlanDocument,
  code: Code | null,
  url: string,
  result: RunResult | null = null,
): string {
  const formats = Object.entries(plan.tensors ?? {}).map(([name, spec]) =>
    [`\`${name}\``, spec.format, spec.dtype, spec.shape?.join(' × ')].filter(Boolean).join(' '),
  );
  return [
    `**[${plan.expression}](${url})**`,
    ...(formats.length > 0 ? [`Formats: ${formats.join(', ')}. Other tensors are dense float64.`] : []),
    plan.schedule ? fence('text', plan.schedule.join('\n')) : 'No schedule: the loops run in storage order.',
    ...(code ? [fence(CODE_LANGUAGES[code.language].fence, code.text.trimEnd())] : []),
    ...(result ? timing(result) : []),
    `[Open in Heddle](${url})\n`,
  ].join('\n\n');
}

/** What was measured, one line for each contender, what follows from it, and on what machine. */
function timing({ entries, conclusion, machine, threads, date }: RunResult): string[] {
  const compiler = machine.compiler === null ? '' : `, ${machine.compiler}`;
  return [
    ['| | median | 95 % interval | time / Heddle |', '|---|---|---|---|', ...entries.map(timingLine)].join('\n'),
    ...(conclusion?.headline ? [conclusion.headline] : []),
    `Measured ${date} with ${counted(threads, 'thread')} on ${machine.cpu}, ${counted(machine.cores, 'core')}${compiler}.`,
  ];
}

function timingLine({ label, median_ns, low_ns, high_ns, ratio_to_heddle, reason }: EntryView): string {
  if (median_ns === null || low_ns === null || high_ns === null) return `| ${label} | – | ${reason ?? ''} | |`;
  const ratio = ratio_to_heddle === null ? '' : `${threeDigits(ratio_to_heddle.value)} ×`;
  return `| ${label} | ${formatNanoseconds(median_ns)} | ${formatInterval(low_ns, high_ns)} | ${ratio} |`;
}

/** A fence longer than any run of backticks inside. */
function fence(language: string, text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const marks = '`'.repeat(longest + 1);
  return `${marks}${language}\n${text}\n${marks}`;
}

/** Copies what is on the page. False where the browser does not let the page write to the clipboard. */
export async function copyMarkdown(store: Store): Promise<boolean> {
  const { draft, view, compile, run } = store.get();
  const fresh = compile.phase === 'done' && compile.result?.ok ? compile.result.code : null;
  const plan = toPlan(draft);
  const shown = shownRun(run);
  const timed = shown !== null && canonicalJson(shown.plan) === canonicalJson(plan) ? shown.view.result : null;
  const url = wholeAddress(fragmentOf(encodeAddress({ draft, view })));
  try {
    await navigator.clipboard.writeText(markdownOf(plan, fresh, url, timed));
    return true;
  } catch {
    return false;
  }
}
