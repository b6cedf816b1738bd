import { useMemo } from 'react';
import { useCatalog } from '../state/catalog';
import { useSelect } from '../state/store';
import type { Knowledge } from './knowledge';

export function useKnowledge(): Knowledge {
  const result = useSelect((state) => state.compile.shown?.view ?? null);
  const latest = useSelect((state) => state.compile.result);
  const commands = useCatalog((catalog) => catalog.commands);
  return useMemo(() => ({ commands, result, latest }), [commands, result, latest]);
}
