"""``split(i, i0, i1, size)``: cut a loop into tiles of a fixed size (docs/sources.toml T24).

Before: ``∀i S``. After: ``∀i0 ∀i1 S`` with ``i = i0 * size + i1`` and ``i1 ∈ [0, size)``.
"""

from __future__ import annotations

from dataclasses import dataclass

from heddle.iteration_graph.graph.nodes import Forall, IterationGraph
from heddle.iteration_graph.graph.rewrite import replace_loop
from heddle.iteration_graph.relations.split import SplitRelation
from heddle.schedule.checks import require_loop, require_new, require_size, require_untagged
from heddle.schedule.command import CommandSpec, argument


@dataclass(frozen=True, slots=True)
class Split:
    variable: str = argument("variable", "the loop to cut")
    outer: str = argument("new-variable", "the loop over tiles", suggestions=("{}0",))
    inner: str = argument("new-variable", "the loop inside a tile", suggestions=("{}1",))
    size: int = argument("integer", "iterations per tile", suggestions=(4, 8, 16, 32))

    def apply(self, graph: IterationGraph, number: int) -> IterationGraph:
        require_loop(graph, self.variable, "variable")
        require_untagged(graph, self.variable, "variable")
        require_new(graph, {"outer": self.outer, "inner": self.inner})
        require_size(self.size, "size", "the size of a tile")
        relation = SplitRelation(number, self.variable, self.outer, self.inner, self.size)
        statement = replace_loop(
            graph.statement, self.variable, lambda loop: Forall(self.outer, Forall(self.inner, loop.body))
        )
        return graph.with_relation(relation, statement)


SPEC = CommandSpec(
    name="split",
    make=Split,
    summary="Cut a loop into tiles of a fixed size; a guard protects the last, partial tile.",
    before="for i in [0, I):\n  S(i)",
    after="for i0 in [0, ⌈I / 32⌉):\n  for i1 in [0, 32):\n    i = i0 · 32 + i1\n    if i < I: S(i)",
    preconditions=("the variable is a loop without a tag", "the new names are free", "the size is at least 1"),
)
