import { useMemo } from 'react';
import { becomesLoops } from '../plan/plan';
import { useCatalog } from '../state/catalog';
import { useSelect } from '../state/store';
import type { Knowledge } from './knowledge';

/** Steps of a program that becomes loops directly are no commands of a schedule: the compiler alone knows them. */
const NONE: Knowledge['commands'] = [];

export function useKnowledge(): Knowledge {
  const result = useSelect((state) => state.compile.shown?.view ?? null);
  const latest = useSelect((state) => state.compile.result);
  const scheduled = useSelect((state) => !becomesLoops(state.draft.language));
  const described = useCatalog((catalog) => catalog.commands);
  const commands = scheduled ? described : NONE;
  return useMemo(() => ({ commands, result, latest }), [commands, result, latest]);
}
