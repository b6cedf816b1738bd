/** What the last step of the tour says of the run: the numbers that were measured, and why they are so. */
import { canonicalJson, toPlan } from '../../plan/plan';
import type { Draft } from '../../plan/plan';
import type { State } from '../../state/store';

/** True when the run that ended is one of this plan, and gave a result. */
export const ranTheWinner =
  (winner: Draft) =>
  ({ run }: State): boolean =>
    run.view?.state === 'done' && canonicalJson(run.plan) === canonicalJson(toPlan(winner));

const WHY_SCIPY =
  'it computes all 4 million sums and keeps 83,883 of them, while this kernel computes only those, with no array in between';
const WHY_SCHEDULE = 'the schedule adds up several products of a sum at once, in vector lanes';

/** In the words of the service, which decides what the run allows to say. */
export function verdictOf({ run }: State): string {
  const { entries = [], conclusion } = run.view?.result ?? {};
  const won = (id: string, why: string): string | null => {
    const ratio = entries.find((one) => one.id === id)?.ratio_to_heddle;
    return ratio?.verdict === 'faster' ? `${ratio.statement}: ${why}.` : null;
  };
  const sentences = [won('scipy', WHY_SCIPY), won('unscheduled', WHY_SCHEDULE)].filter((one) => one !== null);
  if (sentences.length > 0) return sentences.join(' ');
  const said = [conclusion?.headline ?? '', ...(conclusion?.reasons ?? [])].filter((one) => one !== '').join(' ');
  return `This run does not show a clear winner. ${said} Press Run again for another measurement.`;
}
