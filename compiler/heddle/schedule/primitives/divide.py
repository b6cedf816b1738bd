"""``divide(i, i0, i1, parts)``: cut a loop into a fixed number of equal parts (docs/sources.toml T25)."""

from __future__ import annotations

from dataclasses import dataclass

from heddle.iteration_graph.graph.nodes import Forall, IterationGraph
from heddle.iteration_graph.graph.rewrite import replace_loop
from heddle.iteration_graph.relations.divide import DivideRelation
from heddle.schedule.checks import require_loop, require_new, require_size, require_untagged
from heddle.schedule.command import CommandSpec, argument


@dataclass(frozen=True, slots=True)
class Divide:
    variable: str = argument("variable", "the loop to cut")
    outer: str = argument("new-variable", "the loop over parts", suggestions=("{}0",))
    inner: str = argument("new-variable", "the loop inside a part", suggestions=("{}1",))
    parts: int = argument("integer", "how many parts", suggestions=(2, 4, 8, 16))

    def apply(self, graph: IterationGraph, number: int) -> IterationGraph:
        require_loop(graph, self.variable, "variable")
        require_untagged(graph, self.variable, "variable")
        require_new(graph, {"outer": self.outer, "inner": self.inner})
        require_size(self.parts, "parts", "the number of parts")
        relation = DivideRelation(number, self.variable, self.outer, self.inner, self.parts)
        statement = replace_loop(
            graph.statement, self.variable, lambda loop: Forall(self.outer, Forall(self.inner, loop.body))
        )
        return graph.with_relation(relation, statement)


SPEC = CommandSpec(
    name="divide",
    make=Divide,
    summary="Cut a loop into a fixed number of equal parts, for example one per thread.",
    before="for i in [0, I):\n  S(i)",
    after="t = ⌈I / 4⌉\nfor i0 in [0, 4):\n  for i1 in [0, t):\n    i = i0 · t + i1\n    if i < I: S(i)",
    preconditions=("the variable is a loop without a tag", "the new names are free", "at least 1 part"),
)
