/** What the stages panel shows: each stage with what it changed, and its text as linked code. */
import type { CodeView, CompileView, StageView, SymbolView } from '../../api/types';
import { diffLines, type DiffLine } from './lineDiff';

export interface ShownStage {
  readonly stage: StageView;
  /** Against the stage before; null for the first stage and where the text is of another kind. */
  readonly diff: readonly DiffLine[] | null;
  readonly changed: boolean;
}

/** Stages of one kind are compared: all that print the iteration graph, and the two forms of the loops apart. */
const kindOf = (stage: StageView): string => {
  if (stage.command !== null || ['concrete', 'graph'].includes(stage.id)) return 'graph';
  return stage.id;
};

export function shownStages(stages: readonly StageView[]): ShownStage[] {
  return stages.map((stage, index) => {
    const before = stages[index - 1];
    const comparable = before !== undefined && kindOf(before) === kindOf(stage);
    const diff = comparable ? diffLines(before.text, stage.text) : null;
    return { stage, diff, changed: diff === null || diff.some((line) => line.mark !== 'same') };
  });
}

/** The names of the program, for stages that come without symbols of their own. */
function programSymbols(result: CompileView): Record<string, SymbolView> {
  const symbols: Record<string, SymbolView> = {};
  for (const { name } of result.tensors) symbols[name] = { kind: 'array', variable: null, tensor: name, level: null };
  for (const { name } of result.variables)
    symbols[name] = { kind: 'variable', variable: name, tensor: null, level: null };
  return symbols;
}

export function stageCode(stage: StageView, result: CompileView): CodeView {
  return stage.code ?? { language: 'loops', text: stage.text, spans: [], symbols: programSymbols(result) };
}

/** Both sides of a diff in one text; roles would tint over the diff, so there are no spans. */
export function diffCode(diff: readonly DiffLine[], stage: StageView, result: CompileView): CodeView {
  const code = stageCode(stage, result);
  return { ...code, text: diff.map((line) => line.text).join('\n'), spans: [] };
}
