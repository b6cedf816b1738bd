import type { TensorView } from '../../api/types';
import { useSelect } from '../store';
import type { Compiled } from './operands';

const NO_TENSORS: readonly TensorView[] = [];

/** What the program that compiled last is made of. */
export function useCompiled(): Compiled {
  const tensors = useSelect((state) => state.compile.shown?.tensors ?? NO_TENSORS);
  const patterns = useSelect((state) => state.compile.shown?.view.patterns ?? null);
  return { tensors, patterns };
}
