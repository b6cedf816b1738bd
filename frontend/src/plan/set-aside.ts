/**
 * What was chosen for a tensor belongs to what the tensor is. Where an edit of the expression makes an operand the
 * result, or gives it another number of indices, its data and its format are set aside: out of the plan, in sight of
 * the person, and back in the plan when the tensor is again what it was.
 */
import { withEntry } from './entries';
import { rolesOfComprehension } from './header';
import { rolesOfPatterns } from './parameters';
import { EXPRESSION_LANGUAGES } from './plan';
import type { Choice, Draft, ExpressionLanguage, TensorSpec } from './plan';
import { rolesOf } from './roles';
import type { Role, Roles } from './roles';

/** Whether a format is for a tensor of this order. */
export type FitsOrder = (format: string, order: number) => boolean;

/** What the text says of the tensors; null where it is not finished. */
const READERS: Readonly<Record<ExpressionLanguage, (text: string, draft: Draft) => Roles | null>> = {
  notation: rolesOf,
  comprehension: rolesOfComprehension,
  patterns: (text, draft) => rolesOfPatterns(text, draft.arguments),
};

/** The draft with this expression, and with what is chosen for the tensors that it makes of them. */
export function withExpression(draft: Draft, expression: string, fits: FitsOrder): Draft {
  const read = READERS[draft.language];
  const known = { ...draft.aside?.roles, ...read(draft.expression, draft) };
  const roles = read(expression, draft);
  if (roles === null) return { ...draft, expression, aside: { roles: known, waiting: draft.aside?.waiting ?? [] } };
  const aside = { roles: { ...known, ...roles }, waiting: draft.aside?.waiting ?? [] };
  return Object.entries(roles).reduce<Draft>(
    (changed, [name, role]) => inRole(changed, name, known[name] ?? role, role, fits),
    { ...draft, expression, aside },
  );
}

/** A draft from outside: the result takes no data, whatever the document says. */
export const settled = (draft: Draft): Draft => {
  if (draft.language !== EXPRESSION_LANGUAGES[0]) return draft;
  const roles = rolesOf(draft.expression) ?? {};
  const hasInput = Object.keys(draft.inputs).some((name) => roles[name]?.made);
  return hasInput ? withExpression(draft, draft.expression, () => true) : draft;
};

/** Choices that wait, and what their tensor is now. */
export interface SetAside extends Choice {
  readonly now: Role;
}

/** What is set aside for tensors of the expression: of those that are gone nobody expects anything. */
export function setAside(draft: Draft): readonly SetAside[] {
  const roles = draft.aside?.roles ?? {};
  const names = new Set(draft.expression.match(/[A-Za-z]\w*/g) ?? []);
  return (draft.aside?.waiting ?? []).flatMap((choice) => {
    const now = roles[choice.tensor];
    return now === undefined || !names.has(choice.tensor) ? [] : [{ ...choice, now }];
  });
}

/** The draft with what was set aside for a tensor in the plan again, whatever the expression says of it now. */
export function broughtBack(draft: Draft, tensor: string): Draft {
  const choice = setAside(draft).find((waiting) => waiting.tensor === tensor);
  if (choice === undefined) return draft;
  const { input, argument } = choice;
  const spec: TensorSpec = { ...draft.tensors[tensor], ...specOf(choice) };
  return withoutChoice(
    {
      ...draft,
      tensors: withEntry(draft.tensors, tensor, Object.keys(spec).length > 0 ? spec : null),
      inputs: input === undefined ? draft.inputs : withEntry(draft.inputs, tensor, input),
      arguments: argument === undefined ? draft.arguments : withEntry(draft.arguments, tensor, argument),
    },
    tensor,
  );
}

/** Whoever chooses anew for a tensor has no use for what it had before. */
export function withoutChoice(draft: Draft, tensor: string): Draft {
  if (!draft.aside?.waiting.some((choice) => choice.tensor === tensor)) return draft;
  const waiting = draft.aside.waiting.filter((choice) => choice.tensor !== tensor);
  return { ...draft, aside: { ...draft.aside, waiting } };
}

function inRole(draft: Draft, name: string, was: Role, role: Role, fits: FitsOrder): Draft {
  const { format, shape, dtype, ...rest } = draft.tensors[name] ?? {};
  const input = draft.inputs[name];
  const argument = draft.arguments[name];
  const waiting = draft.aside?.waiting ?? [];
  const relaid = was.layout !== role.layout;
  const moved = was.made !== role.made || was.order !== role.order || relaid;
  const resized = was.order !== role.order || was.dimensions !== role.dimensions;
  if (!moved && !resized && !(role.made && input !== undefined && draft.language === EXPRESSION_LANGUAGES[0])) {
    return draft;
  }
  const before = waiting.find((choice) => choice.tensor === name && same(choice.role, role));
  const leaves = {
    ...(input === undefined || (!moved && !role.made) ? {} : { input }),
    ...(format !== undefined && (was.made !== role.made || relaid || !fits(format, role.order)) && moved
      ? { format }
      : {}),
    ...(shape !== undefined && resized ? { shape } : {}),
    ...(dtype !== undefined && relaid ? { dtype } : {}),
    ...(argument !== undefined && moved ? { argument } : {}),
  };
  const stays: TensorSpec = {
    ...rest,
    ...(format === undefined || leaves.format !== undefined ? {} : { format }),
    ...(shape === undefined || leaves.shape !== undefined ? {} : { shape }),
    ...(dtype === undefined || leaves.dtype !== undefined ? {} : { dtype }),
    ...specOf(before),
  };
  const belongs = moved || resized ? was : { ...role, made: false };
  const others = waiting.filter(
    (choice) => choice.tensor !== name || !(same(choice.role, role) || same(choice.role, belongs)),
  );
  return {
    ...draft,
    tensors: withEntry(draft.tensors, name, Object.keys(stays).length > 0 ? stays : null),
    inputs: withEntry(draft.inputs, name, role.made ? null : (before?.input ?? (moved ? null : (input ?? null)))),
    arguments: withEntry(draft.arguments, name, before?.argument ?? (moved ? null : (argument ?? null))),
    aside: {
      roles: draft.aside?.roles ?? {},
      waiting: Object.keys(leaves).length > 0 ? [...others, { tensor: name, role: belongs, ...leaves }] : others,
    },
  };
}

const specOf = ({ format, shape, dtype }: Partial<Choice> = {}): TensorSpec => ({
  ...(format === undefined ? {} : { format }),
  ...(shape === undefined ? {} : { shape }),
  ...(dtype === undefined ? {} : { dtype }),
});

const same = (left: Role, right: Role): boolean =>
  left.made === right.made &&
  left.order === right.order &&
  left.dimensions === right.dimensions &&
  left.layout === right.layout;
