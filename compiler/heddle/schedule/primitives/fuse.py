"""``fuse(i, j, f)``: collapse two directly nested loops into one (docs/sources.toml T23).

Before: ``∀i ∀j S``. After: ``∀f S`` with ``i = f div J`` and ``j = f mod J``; the order of iteration stays.
"""

from __future__ import annotations

from dataclasses import dataclass

from heddle.advice import NestFirst
from heddle.iteration_graph.graph.nodes import Forall, IterationGraph
from heddle.iteration_graph.graph.provenance import all_loops, has_constant_range, is_position
from heddle.iteration_graph.graph.rewrite import chain_of, find_loop, replace_loop
from heddle.iteration_graph.relations.fuse import FuseRelation
from heddle.schedule.checks import require_loop, require_new, require_untagged
from heddle.schedule.command import CommandSpec, Refusal, argument


@dataclass(frozen=True, slots=True)
class Fuse:
    outer: str = argument("variable", "the outer loop")
    inner: str = argument("variable", "the loop directly inside it")
    fused: str = argument("new-variable", "the loop over both", suggestions=("f",))

    def apply(self, graph: IterationGraph, number: int) -> IterationGraph:
        for variable, name in ((self.outer, "outer"), (self.inner, "inner")):
            require_loop(graph, variable, name)
            require_untagged(graph, variable, name)
        require_new(graph, {"fused": self.fused})
        loop = find_loop(graph.statement, self.outer)
        if not isinstance(loop.body, Forall) or loop.body.variable != self.inner:
            raise Refusal(
                "schedule/not-directly-nested",
                f"{self.inner} is not directly inside {self.outer}: {self._between(graph)}",
                argument="inner",
                expected=f"the loop directly inside {self.outer}",
                actual=self.inner,
                replacement=loop.body.variable if isinstance(loop.body, Forall) else None,
                advice=(NestFirst(self.outer, self.inner),),
            )
        for variable, name in ((self.outer, "outer"), (self.inner, "inner")):
            if is_position(graph, variable) and not has_constant_range(graph, variable):
                raise Refusal(
                    "schedule/fuse-of-positions",
                    f"{variable} runs over positions, and how many there are differs from one iteration of "
                    f"{self.outer} to the next. Fuse the coordinate variables first, then use pos on the fused one.",
                    argument=name,
                    expected="coordinate variables, or loops that run a constant number of times",
                    actual=f"{variable}, a position variable",
                )
        relation = FuseRelation(number, self.outer, self.inner, self.fused)

        def collapse(outer: Forall) -> Forall:
            assert isinstance(outer.body, Forall)
            return Forall(self.fused, outer.body.body)

        return graph.with_relation(relation, replace_loop(graph.statement, self.outer, collapse))

    def _between(self, graph: IterationGraph) -> str:
        """What stands between the loops, and what to do about it."""
        if self.inner in chain_of(graph.statement, self.outer):
            return f"the loops are {' → '.join(all_loops(graph))}. Reorder them first."
        return "a sum between them is computed into a temporary. Fuse loops on one side of it only."


SPEC = CommandSpec(
    name="fuse",
    make=Fuse,
    summary="Collapse two directly nested loops into one; the order of iteration stays the same.",
    before="for i in [0, I):\n  for j in [0, J):\n    S(i, j)",
    after="for f in [0, I · J):\n  i = f div J\n  j = f mod J\n  S(i, j)",
    preconditions=(
        "the inner loop is directly inside the outer one",
        "both run over coordinates, or a constant number of times",
        "over sparse levels: both are consecutive levels of one tensor that decides what is visited",
    ),
)
