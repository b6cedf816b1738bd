/**
 * What was chosen for a tensor belongs to what the tensor is. Where an edit of the expression makes an operand the
 * result, or gives it another number of indices, its data and its format are set aside: out of the plan, in sight of
 * the person, and back in the plan when the tensor is again what it was.
 */
import { withEntry } from './entries';
import { rolesOfComprehension } from './header';
import { EXPRESSION_LANGUAGES } from './plan';
import type { Draft, ExpressionLanguage, Kept, TensorSpec } from './plan';
import { rolesOf } from './roles';
import type { Role, Roles } from './roles';

/** Whether a format is for a tensor of this order. */
export type FitsOrder = (format: string, order: number) => boolean;

/** What the text says of the tensors; null where it is not finished. Programs of patterns have no formats and shapes. */
const READERS: Readonly<Record<ExpressionLanguage, ((text: string) => Roles | null) | null>> = {
  notation: rolesOf,
  comprehension: rolesOfComprehension,
  patterns: null,
};

/** The draft with this expression, and with what is chosen for the tensors that it makes of them. */
export function withExpression(draft: Draft, expression: string, fits: FitsOrder): Draft {
  const read = READERS[draft.language];
  if (read === null) return { ...draft, expression };
  const known = draft.aside?.roles ?? read(draft.expression) ?? {};
  const roles = read(expression);
  if (roles === null) return { ...draft, expression, aside: { roles: known, kept: draft.aside?.kept ?? [] } };
  const aside = { roles: { ...known, ...roles }, kept: draft.aside?.kept ?? [] };
  return Object.entries(roles).reduce<Draft>(
    (changed, [name, role]) => inRole(changed, name, known[name] ?? role, role, fits),
    { ...draft, expression, aside },
  );
}

/** A draft from outside: the result takes no data, whatever the document says. */
export const settled = (draft: Draft): Draft => {
  if (draft.language !== EXPRESSION_LANGUAGES[0]) return draft;
  const roles = rolesOf(draft.expression) ?? {};
  const given = Object.keys(draft.inputs).some((name) => roles[name]?.made);
  return given ? withExpression(draft, draft.expression, () => true) : draft;
};

/** Choices that wait, and what their tensor is now. */
export interface SetAside extends Kept {
  readonly now: Role;
}

/** What is set aside for tensors of the expression: of those that are gone nobody expects anything. */
export function setAside(draft: Draft): readonly SetAside[] {
  const roles = draft.aside?.roles ?? {};
  const names = new Set(draft.expression.match(/[A-Za-z]\w*/g) ?? []);
  return (draft.aside?.kept ?? []).flatMap((kept) => {
    const now = roles[kept.tensor];
    return now === undefined || !names.has(kept.tensor) ? [] : [{ ...kept, now }];
  });
}

/** The draft with what was set aside for a tensor in the plan again, whatever the expression says of it now. */
export function broughtBack(draft: Draft, tensor: string): Draft {
  const kept = setAside(draft).find((waiting) => waiting.tensor === tensor);
  if (kept === undefined) return draft;
  const { format, shape, input } = kept;
  const spec: TensorSpec = {
    ...draft.tensors[tensor],
    ...(format === undefined ? {} : { format }),
    ...(shape === undefined ? {} : { shape }),
  };
  return withoutKept(
    {
      ...draft,
      tensors: withEntry(draft.tensors, tensor, Object.keys(spec).length > 0 ? spec : null),
      inputs: input === undefined ? draft.inputs : withEntry(draft.inputs, tensor, input),
    },
    tensor,
  );
}

/** Whoever chooses anew for a tensor has no use for what it had before. */
export function withoutKept(draft: Draft, tensor: string): Draft {
  if (!draft.aside?.kept.some((one) => one.tensor === tensor)) return draft;
  return { ...draft, aside: { ...draft.aside, kept: draft.aside.kept.filter((one) => one.tensor !== tensor) } };
}

function inRole(draft: Draft, name: string, was: Role, role: Role, fits: FitsOrder): Draft {
  const { format, shape, ...rest } = draft.tensors[name] ?? {};
  const input = draft.inputs[name];
  const kept = draft.aside?.kept ?? [];
  const moved = was.made !== role.made || was.order !== role.order;
  const resized = was.order !== role.order || was.dimensions !== role.dimensions;
  if (!moved && !resized && !(role.made && input !== undefined && draft.language === EXPRESSION_LANGUAGES[0])) {
    return draft;
  }
  const before = kept.find((one) => one.tensor === name && same(one.role, role));
  const leaves = {
    ...(input === undefined || (!moved && !role.made) ? {} : { input }),
    ...(format !== undefined && (was.made !== role.made || !fits(format, role.order)) && moved ? { format } : {}),
    ...(shape !== undefined && resized ? { shape } : {}),
  };
  const stays: TensorSpec = {
    ...rest,
    ...(format === undefined || leaves.format !== undefined ? {} : { format }),
    ...(shape === undefined || leaves.shape !== undefined ? {} : { shape }),
    ...(before?.format === undefined ? {} : { format: before.format }),
    ...(before?.shape === undefined ? {} : { shape: before.shape }),
  };
  const belongs = moved || resized ? was : { ...role, made: false };
  const others = kept.filter((one) => one.tensor !== name || !(same(one.role, role) || same(one.role, belongs)));
  return {
    ...draft,
    tensors: withEntry(draft.tensors, name, Object.keys(stays).length > 0 ? stays : null),
    inputs: withEntry(draft.inputs, name, role.made ? null : (before?.input ?? (moved ? null : (input ?? null)))),
    aside: {
      roles: draft.aside?.roles ?? {},
      kept: Object.keys(leaves).length > 0 ? [...others, { tensor: name, role: belongs, ...leaves }] : others,
    },
  };
}

const same = (left: Role, right: Role): boolean =>
  left.made === right.made && left.order === right.order && left.dimensions === right.dimensions;
