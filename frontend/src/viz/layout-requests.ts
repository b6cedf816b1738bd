/** What the page asks the layout worker, and what it answers. */
import { layoutIteration } from './iteration/layout';
import type { IterationInput, IterationLayout } from './iteration/types';
import { layoutProvenance, type ProvenanceInput, type ProvenanceLayout } from './provenance/layout';

export interface Layouts {
  readonly iteration: { readonly input: IterationInput; readonly layout: IterationLayout };
  readonly provenance: { readonly input: ProvenanceInput; readonly layout: ProvenanceLayout };
}

export type LayoutKind = keyof Layouts;

export interface LayoutRequest<Kind extends LayoutKind = LayoutKind> {
  readonly id: number;
  readonly kind: Kind;
  readonly input: Layouts[Kind]['input'];
}

export type LayoutAnswer =
  | { readonly id: number; readonly layout: Layouts[LayoutKind]['layout'] }
  | { readonly id: number; readonly error: string };

const engines: { readonly [Kind in LayoutKind]: (input: Layouts[Kind]['input']) => Layouts[Kind]['layout'] } = {
  iteration: layoutIteration,
  provenance: layoutProvenance,
};

export function computeLayout<Kind extends LayoutKind>(
  kind: Kind,
  input: Layouts[Kind]['input'],
): Layouts[Kind]['layout'] {
  return engines[kind](input);
}
