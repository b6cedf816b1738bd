/** What the first answer will say of the plan, as far as the page reads it from the text: what waits does not move. */
import { useMemo } from 'react';
import type { TensorView } from '../../api/types';
import type { Draft } from '../../plan/plan';
import { rolesOf } from '../../plan/roles';
import { useSelect } from '../store';
import type { State } from '../store';

const NO_TENSORS: readonly TensorView[] = [];
const SUBSCRIPTED = /([A-Za-z]\w*)\s*\(([\w\s,]*)\)/g;

/** Whether no answer to the plan has come, and the first will. */
export const awaitsFirst = ({ compile: { phase, result, shown } }: State): boolean =>
  result === null && shown === null && (phase === 'waiting' || phase === 'compiling');

/** The tensors of an expression in index notation, with what the plan says of them. */
export function expectedTensors({ language, expression, tensors }: Draft): readonly TensorView[] {
  const roles = language === 'notation' ? rolesOf(expression) : null;
  if (roles === null) return NO_TENSORS;
  const subscripts = new Map<string, string[]>();
  for (const [, name = '', indices = ''] of expression.matchAll(SUBSCRIPTED))
    subscripts.set(name, subscripts.get(name) ?? indices.split(',').map((index) => index.trim()));
  return Object.entries(roles).map(([name, { made: result, order }]) => ({
    name,
    order,
    result,
    dimensions: subscripts.get(name) ?? [],
    format: tensors[name]?.format ?? 'dense',
    dtype: tensors[name]?.dtype ?? 'float64',
    levels: [],
  }));
}

/** The tensors of the plan that compiled last; before the first answer those that it is expected to name. */
export function useTensors(): readonly TensorView[] {
  const answered = useSelect((state) => state.compile.shown?.tensors ?? null);
  const draft = useSelect((state) => (awaitsFirst(state) ? state.draft : null));
  return useMemo(() => answered ?? (draft === null ? NO_TENSORS : expectedTensors(draft)), [answered, draft]);
}
