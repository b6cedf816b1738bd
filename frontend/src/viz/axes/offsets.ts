/** How the place of an entry among the values follows from its levels, one formula after the other. */
import type { PartView } from '../../api/types';

export interface OffsetStep {
  /** The number of the axis, from 0. */
  readonly axis: number;
  readonly kind: string;
  readonly coordinate: number;
  /** The formula of the first position below `parent`, and its value. */
  readonly formula: string;
  readonly parent: number;
  readonly start: number;
  /** `start + number`. */
  readonly position: number;
}

/** The steps down to the last level; null where positions are not shown, or nothing stands at that place. */
export function offsetSteps({ axes }: PartView, place: number): readonly OffsetStep[] | null {
  const steps: OffsetStep[] = [];
  let position = place;
  for (const [axis, { kind, start: formula, nodes }] of [...axes.entries()].toReversed()) {
    const index = nodes?.positions.indexOf(position) ?? -1;
    if (nodes === null || index < 0) return null;
    const parent = nodes.parents[index] ?? 0;
    const coordinate = nodes.coordinates[index] ?? 0;
    steps.unshift({ axis, kind, coordinate, formula, parent, start: nodes.starts[index] ?? 0, position });
    position = parent;
  }
  return steps;
}

/** E.g. `p * width[0] + 1 = 1 * 2 + 1`: where p is the position above. */
export const stepText = ({ formula, parent, start, position }: OffsetStep): string =>
  `${formula} = ${start} for p = ${parent}; ${start} + ${position - start} = ${position}`;
