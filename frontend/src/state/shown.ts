/** What the panels draw while a plan does not compile: the new pictures that could be made, else the last ones, marked. */
import type { CodeView, CompileView } from '../api/types';

export interface Shown {
  readonly view: CompileView;
  /** Parts of `view` that belong to an earlier plan. */
  readonly stale: { readonly graph: boolean; readonly code: boolean };
}

export function nextShown(previous: Shown | null, result: CompileView): Shown {
  if (result.ok || previous === null) return { view: result, stale: { graph: false, code: false } };
  const old = previous.view;
  const noGraph = result.graph === null && old.graph !== null;
  const noCode = result.code === null && old.code !== null;
  const graphPart = noGraph
    ? { graph: old.graph, provenance: old.provenance, lattices: old.lattices, variables: old.variables }
    : {};
  const codePart = noCode ? { code: withoutCommands(old.code), stages: old.stages } : {};
  const tensors = result.tensors.length > 0 ? result.tensors : old.tensors;
  return { view: { ...result, tensors, ...graphPart, ...codePart }, stale: { graph: noGraph, code: noCode } };
}

/** The numbers of commands in old code mean the commands of then: they must light nothing now. */
function withoutCommands(code: CodeView | null): CodeView | null {
  if (code === null) return null;
  const spans = code.spans.map((span) => ({ ...span, origin: { ...span.origin, command: null } }));
  return { ...code, spans };
}
