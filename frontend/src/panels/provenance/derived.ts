import type { CompileView } from '../../api/types';

/** Whether the provenance graph has more than the variables of the expression. */
export const derives = ({ provenance }: CompileView): boolean => provenance === null || provenance.relations.length > 0;

export const NOTHING_DERIVED = 'Nothing is derived: the loops run over the variables of the expression. Try split.';
