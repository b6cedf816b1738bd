/** What the page asks the layout worker, and what it answers. */
import { drawIteration } from './iteration/layout';
import type { IterationInput, IterationLayout } from './iteration/types';
import type { AtLeastOne } from './spacing';
import { drawProvenance, type ProvenanceInput, type ProvenanceLayout } from './provenance/layout';

export interface Layouts {
  readonly iteration: { readonly input: IterationInput; readonly drawing: IterationLayout };
  readonly provenance: { readonly input: ProvenanceInput; readonly drawing: ProvenanceLayout };
}

/** Drawings of a graph, the roomiest first. */
export type Drawings<Kind extends LayoutKind> = AtLeastOne<Layouts[Kind]['drawing']>;

export type LayoutKind = keyof Layouts;

export interface LayoutRequest<Kind extends LayoutKind = LayoutKind> {
  readonly id: number;
  readonly kind: Kind;
  readonly input: Layouts[Kind]['input'];
}

export type LayoutAnswer =
  { readonly id: number; readonly drawings: Drawings<LayoutKind> } | { readonly id: number; readonly error: string };

const engines: { readonly [Kind in LayoutKind]: (input: Layouts[Kind]['input']) => Drawings<Kind> } = {
  iteration: drawIteration,
  provenance: drawProvenance,
};

export function computeLayout<Kind extends LayoutKind>(kind: Kind, input: Layouts[Kind]['input']): Drawings<Kind> {
  return engines[kind](input);
}
