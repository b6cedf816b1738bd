"""``interchange(i, j)``: two loops of one nest take each other's place."""

from __future__ import annotations

from dataclasses import dataclass

from heddle.iteration_graph.graph.nodes import IterationGraph
from heddle.iteration_graph.graph.rewrite import chain_of, rename_loops
from heddle.schedule.checks import require_loop
from heddle.schedule.command import CommandSpec, Refusal, argument


@dataclass(frozen=True, slots=True)
class Interchange:
    first: str = argument("variable", "a loop")
    second: str = argument("variable", "the loop that takes its place")

    def apply(self, graph: IterationGraph, number: int) -> IterationGraph:
        require_loop(graph, self.first, "first")
        require_loop(graph, self.second, "second")
        chain = chain_of(graph.statement, self.first)
        others = tuple(loop for loop in chain if loop != self.first)
        if self.second not in others:
            raise Refusal(
                "schedule/not-directly-nested",
                f"{self.second} is no other loop of the nest of {self.first}. Name two loops of one nest.",
                argument="second",
                expected=f"a loop of the nest {' → '.join(chain)}",
                actual=self.second,
                candidates=others,
            )
        partner = {self.first: self.second, self.second: self.first}
        order = [partner.get(variable, variable) for variable in chain]
        return graph.with_statement(rename_loops(graph.statement, chain, order))


SPEC = CommandSpec(
    name="interchange",
    make=Interchange,
    summary="Exchange two loops of one nest.",
    before="for i in [0, I):\n  for j in [0, J):\n    S(i, j)",
    after="for j in [0, J):\n  for i in [0, I):\n    S(i, j)",
    preconditions=("the loops are in one nest",),
)
