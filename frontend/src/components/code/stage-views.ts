/** What the stages panel shows: each stage with what it changed, and its text as linked code. */
import type { CodeView, CompileView, StageView, SymbolView } from '../../api/types';
import { diffLines, type DiffLine } from '../../text/line-diff';

export interface ShownStage {
  readonly stage: StageView;
  /** Against the stage before; null for the first stage and where the text is of another kind. */
  readonly diff: readonly DiffLine[] | null;
  readonly changed: boolean;
}

/** A pass over the loops, which alone has a summary. */
export const isPass = (stage: StageView): boolean => stage.summary !== null;

const GRAPHS: ReadonlySet<string> = new Set(['graph', 'sums-first', 'workspace', 'assembly']);

/** Stages of one kind are compared: all that print the iteration graph, and the two forms of the loops apart. */
const kindOf = (stage: StageView): string => {
  if (stage.command !== null || GRAPHS.has(stage.id)) return 'graph';
  return isPass(stage) || stage.id === 'lowered' ? 'structured' : stage.id;
};

/** The stages to step through: passes that changed nothing have no text to show. */
export function shownStages(stages: readonly StageView[]): ShownStage[] {
  const told = stages.filter(({ changed }) => changed);
  return told.map((stage, index) => {
    const before = told[index - 1];
    const comparable = before !== undefined && kindOf(before) === kindOf(stage);
    const diff = comparable ? diffLines(before.text, stage.text) : null;
    return { stage, diff, changed: diff === null || diff.some((line) => line.mark !== 'same') };
  });
}

/** Passes over the loops that left them as they were. */
export const idlePasses = (stages: readonly StageView[]): StageView[] => stages.filter(({ changed }) => !changed);

/** How many lines a stage added and removed, in words; empty where nothing can be compared. */
export function changeText(diff: readonly DiffLine[] | null): string {
  const count = (mark: DiffLine['mark']): number => diff?.filter((line) => line.mark === mark).length ?? 0;
  const [added, removed] = [count('added'), count('removed')];
  return [added > 0 ? `+${added}` : '', removed > 0 ? `−${removed}` : ''].filter(Boolean).join(' ');
}

/** The names of the program, for stages that come without symbols. */
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
