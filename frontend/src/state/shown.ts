/**
 * What the panels draw: always one whole plan that compiled, and the same one everywhere. While the text is refused it
 * is the plan of the commands before the refused one; where these make no plan, the last one that compiled.
 */
import type { CompileView, TensorView } from '../api/types';
import { becomesLoops } from '../plan/plan';
import type { PlanDocument } from '../plan/plan';

/** Which plan is drawn: the text itself, its first commands, or an earlier text. */
export type Drawn =
  { readonly kind: 'text' } | { readonly kind: 'commands'; readonly count: number } | { readonly kind: 'earlier' };

export interface Shown {
  /** The answer to `plan`; not ok only before the first plan of the visit has compiled. */
  readonly view: CompileView;
  readonly plan: PlanDocument;
  readonly drawn: Drawn;
  /** The tensors of the text as it could last be read: what formats and inputs are chosen for. */
  readonly tensors: readonly TensorView[];
}

/** The plan up to its refused command; null where it is not a command that is refused. */
export function beforeRefused(plan: PlanDocument, result: CompileView): PlanDocument | null {
  if (result.ok) return null;
  // One that the graph takes and the loops do not is applied, and refused all the same.
  const blamed = result.diagnostics.find(({ severity }) => severity === 'error')?.location?.command;
  const refused = blamed ?? result.commands.findIndex(({ status }) => status === 'failed');
  return refused < 0 ? null : withCommands(plan, refused);
}

function withCommands({ schedule = [], ...plan }: PlanDocument, count: number): PlanDocument {
  return count === 0 ? plan : { ...plan, schedule: schedule.slice(0, count) };
}

/** `before` is the answer to {@link beforeRefused}, where there is one. */
export function nextShown(
  previous: Shown | null,
  plan: PlanDocument,
  result: CompileView,
  before: { readonly plan: PlanDocument; readonly view: CompileView } | null,
): Shown {
  // What was read in another language says nothing of this text.
  const earlier = previous?.plan.language === plan.language ? (previous?.tensors ?? []) : [];
  const tensors = becomesLoops(plan.language) || result.tensors.length > 0 ? result.tensors : earlier;
  if (result.ok) return { view: result, plan, drawn: { kind: 'text' }, tensors };
  if (before?.view.ok) {
    return {
      ...before,
      view: withForbidding(before.view, result),
      drawn: { kind: 'commands', count: before.plan.schedule?.length ?? 0 },
      tensors,
    };
  }
  if (previous?.view.ok) return { ...previous, drawn: { kind: 'earlier' }, tensors };
  return { view: result, plan, drawn: { kind: 'text' }, tensors };
}

/** The plan before a refused command, with the dependences that forbid the command. */
function withForbidding(view: CompileView, refused: CompileView): CompileView {
  if (view.tree === undefined || refused.tree === undefined) return view;
  return { ...view, tree: { ...view.tree, forbidding: refused.tree.forbidding } };
}

const EARLIER = 'From the last plan that compiled.';

/** The one sentence of every pane about what it draws; null where that is what the editors say. */
export function drawnInWords(drawn: Drawn): string | null {
  switch (drawn.kind) {
    case 'text':
      return null;
    case 'commands':
      return drawn.count === 0
        ? 'Without the schedule: command 1 is refused.'
        : `After command ${drawn.count}: command ${drawn.count + 1} is refused.`;
    case 'earlier':
      return EARLIER;
    default:
      throw new Error(`unexpected plan ${JSON.stringify(drawn satisfies never)}`);
  }
}

/** The same where the service has not answered to the present text. */
export const WITHOUT_ANSWER = EARLIER;
