/** Points of a merge lattice: sets of operands, named alike in the lattice and in the trace. */
import type { LatticeView } from '../../api/types';

export const keyOf = (iterators: readonly string[]): string => [...iterators].sort().join(' | ');

/** `{b, c}`; an access is shortened to its tensor where that says the same. */
export function setLabel(iterators: readonly string[]): string {
  if (iterators.length === 0) return '∅';
  const tensors = iterators.map((name) => name.replace(/\(.*\)$/, ''));
  const names = new Set(tensors).size === tensors.length ? tensors : iterators;
  return `{${names.join(', ')}}`;
}

/** Whether every coordinate is visited, because some operand has a value everywhere. */
export const isFull = (lattice: LatticeView): boolean =>
  lattice.points.some((point) => point.iterators.includes(`all ${lattice.variable}`));

/** The point that handles a coordinate that exactly the operands in `present` have; null where nothing is computed. */
export function handlerOf(lattice: LatticeView, present: readonly string[]): LatticeView['points'][number] | null {
  const here = new Set([...present, ...(isFull(lattice) ? [`all ${lattice.variable}`] : [])]);
  return lattice.points.find((point) => point.iterators.every((name) => here.has(name))) ?? null;
}
