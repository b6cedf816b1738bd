/**
 * What was chosen for a tensor belongs to what the tensor is. Where an edit of the expression makes an operand the
 * result, or gives it another number of indices, its data and its format are set aside: out of the plan, in sight of
 * the person, and back in the plan when the tensor is again what it was.
 */
import { withEntry } from './entries';
import { EXPRESSION_LANGUAGES } from './plan';
import type { Draft, Kept, TensorSpec } from './plan';
import { rolesOf } from './roles';
import type { Role } from './roles';

/** Whether a format is for a tensor of this order. */
export type FitsOrder = (format: string, order: number) => boolean;

/** Roles are read from index notation alone: in the other languages a program says itself what its parameters are. */
const readsRoles = ({ language }: Draft): boolean => language === EXPRESSION_LANGUAGES[0];

/** The draft with this expression, and with what is chosen for the tensors that it makes of them. */
export function withExpression(draft: Draft, expression: string, fits: FitsOrder): Draft {
  if (!readsRoles(draft)) return { ...draft, expression };
  const known = draft.aside?.roles ?? rolesOf(draft.expression) ?? {};
  const roles = rolesOf(expression);
  if (roles === null) return { ...draft, expression, aside: { roles: known, kept: draft.aside?.kept ?? [] } };
  const aside = { roles: { ...known, ...roles }, kept: draft.aside?.kept ?? [] };
  return Object.entries(roles).reduce<Draft>(
    (changed, [name, role]) => inRole(changed, name, known[name] ?? role, role, fits),
    { ...draft, expression, aside },
  );
}

/** A draft from outside: the result takes no data, whatever the document says. */
export const settled = (draft: Draft): Draft => {
  if (!readsRoles(draft)) return draft;
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
  if (!moved && !(role.made && input !== undefined)) return draft;
  const before = kept.find((one) => one.tensor === name && same(one.role, role));
  const leaves = {
    ...(input === undefined ? {} : { input }),
    ...(format !== undefined && (was.made !== role.made || !fits(format, role.order)) && moved ? { format } : {}),
    ...(shape !== undefined && was.order !== role.order ? { shape } : {}),
  };
  const stays: TensorSpec = {
    ...rest,
    ...(format === undefined || leaves.format !== undefined ? {} : { format }),
    ...(shape === undefined || leaves.shape !== undefined ? {} : { shape }),
    ...(before?.format === undefined ? {} : { format: before.format }),
    ...(before?.shape === undefined ? {} : { shape: before.shape }),
  };
  const belongs = moved ? was : { ...role, made: false };
  const others = kept.filter((one) => one.tensor !== name || !(same(one.role, role) || same(one.role, belongs)));
  return {
    ...draft,
    tensors: withEntry(draft.tensors, name, Object.keys(stays).length > 0 ? stays : null),
    inputs: withEntry(draft.inputs, name, role.made ? null : (before?.input ?? null)),
    aside: {
      roles: draft.aside?.roles ?? {},
      kept: Object.keys(leaves).length > 0 ? [...others, { tensor: name, role: belongs, ...leaves }] : others,
    },
  };
}

const same = (left: Role, right: Role): boolean => left.made === right.made && left.order === right.order;
