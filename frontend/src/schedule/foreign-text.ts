/** Whether a pasted text comes from another program: it is read as a whole, and not as what the editor holds. */
const SIGNS: readonly RegExp[] = [
  /(?:^|\n)\s*(?:[$>%]\s+)?(?:\S*\/)?taco\s+["'“‘-]/,
  /(?:^|\s)-[fst]=["'“]?\w+[:(]/,
  /\b(?:ParallelUnit|OutputRaceStrategy|BoundType)::/,
  /\b(?:IndexVar|IndexStmt|IndexExpr)\b/,
  /\bTensor\s*<[\w:<> ]+>\s*\w+\s*[({]/,
  /\bstmt\s*\.\s*\w+\s*\(/,
  /\)\s*\.\s*(?:split|divide|pos|fuse|reorder|parallelize|precompute|unroll|bound)\s*\(/,
];

export const isForeign = (text: string): boolean => SIGNS.some((sign) => sign.test(text));
