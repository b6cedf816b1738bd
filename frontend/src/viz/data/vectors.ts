/** Small vectors for the merge of a = b * c + d: operands alone, in pairs, all together, and one used up early. */
import type { CompileView, Operands } from '../../api/types';

const COORDINATES = [
  [0, 2, 5],
  [2, 3, 5],
  [1, 2, 4],
] as const;
const SIZE = 6;

/** Null where nothing is merged, an operand is not a vector, or there are more than the example has. */
export function exampleVectors(result: CompileView): Operands | null {
  const lattice = [...result.lattices].sort((one, other) => other.points.length - one.points.length)[0];
  if (lattice === undefined) return null;
  const operands = result.tensors.filter(({ result: written }) => !written);
  if (operands.some(({ order }) => order !== 1) || lattice.operands.length > COORDINATES.length) return null;
  const stored = lattice.operands.map(({ tensor }) => tensor);
  return Object.fromEntries(
    operands.map(({ name }) => {
      const own: readonly number[] | undefined = COORDINATES[stored.indexOf(name)];
      const values = Array.from({ length: SIZE }, (_, at) => (own === undefined || own.includes(at) ? at + 1 : 0));
      return [name, values];
    }),
  );
}
