import type { Domain } from '../../viz/provenance/formulas';

/** A range as the formulas write it: `∈ [0, 4)`. */
export const domainText = ({ lower, upper }: Domain): string => `∈ [${lower}, ${upper})`;
