/** What the last step of the tour says of the run: the numbers that were measured, and why they are so. */
import { canonicalJson, toPlan } from '../../plan/plan';
import type { Draft } from '../../plan/plan';
import type { State } from '../../state/store';
import { threeDigits } from '../../text/quantities';

/** True when the run that ended is one of this plan, and gave a result. */
export const ranTheWinner =
  (winner: Draft) =>
  ({ run }: State): boolean =>
    run.view?.state === 'done' && canonicalJson(run.plan) === canonicalJson(toPlan(winner));

const WHY_SCIPY =
  'it computes all 4 million sums and keeps 83,883 of them, while this kernel computes only those, with no array in between';
const WHY_SCHEDULE = 'the schedule adds up several products of a sum at once, in vector lanes';

export function verdictOf({ run }: State): string {
  const entries = run.view?.result?.entries ?? [];
  const times = (id: string): number | null => {
    const ratio = entries.find((one) => one.id === id)?.ratio_to_heddle;
    return ratio?.verdict === 'faster' ? ratio.value : null;
  };
  const scipy = times('scipy');
  const bare = times('unscheduled');
  const sentences = [
    scipy === null ? null : `SciPy takes ${threeDigits(scipy)} times as long: ${WHY_SCIPY}.`,
    bare === null ? null : `Without the schedule the kernel takes ${threeDigits(bare)} times as long: ${WHY_SCHEDULE}.`,
  ].filter((sentence) => sentence !== null);
  return sentences.length === 0
    ? 'This run does not show a clear winner: something else kept the machine busy. Press Run again for another measurement.'
    : sentences.join(' ');
}
