"""``reorder(i, j, …)``: permute directly nested loops (docs/sources.toml T22).

Before: ``∀i ∀j S``. After ``reorder(j, i)``: ``∀j ∀i S``. The listed loops take each other's
places, in the listed order.
"""

from __future__ import annotations

from dataclasses import dataclass

from heddle.iteration_graph.graph.nodes import IterationGraph
from heddle.iteration_graph.graph.rewrite import chain_of, rename_loops
from heddle.schedule.checks import require_loop
from heddle.schedule.command import CommandSpec, Refusal, argument


@dataclass(frozen=True, slots=True)
class Reorder:
    variables: tuple[str, ...] = argument("variables", "the loops in their new order, outermost first")

    def apply(self, graph: IterationGraph, number: int) -> IterationGraph:
        for variable in self.variables:
            require_loop(graph, variable, "variables")
        if len(set(self.variables)) != len(self.variables):
            twice = next(v for v in self.variables if self.variables.count(v) > 1)
            raise Refusal(
                "schedule/listed-twice",
                f"{twice} is listed twice; each loop can be listed once.",
                argument="variables",
                expected="different variables",
                actual=twice,
            )
        chain = chain_of(graph.statement, self.variables[0])
        apart = next((v for v in self.variables if v not in chain), None)
        if apart is not None:
            raise Refusal(
                "schedule/not-directly-nested",
                f"{apart} and {self.variables[0]} are not in one nest of directly nested loops: a sum between them is "
                f"computed into a temporary, and moving a loop across it would change what is added.",
                argument="variables",
                expected=f"loops of the nest {' → '.join(chain)}",
                actual=apart,
                candidates=tuple(chain),
            )
        waiting = iter(self.variables)
        order = [next(waiting) if variable in self.variables else variable for variable in chain]
        return graph.with_statement(rename_loops(graph.statement, chain, order))


SPEC = CommandSpec(
    name="reorder",
    make=Reorder,
    summary="Permute directly nested loops. A tensor must still be visited in its storage order.",
    before="for i in [0, I):\n  for j in [0, J):\n    S(i, j)",
    after="for j in [0, J):\n  for i in [0, I):\n    S(i, j)",
    preconditions=(
        "the loops are in one nest of directly nested loops",
        "no compressed level comes before the levels above it in its tensor",
    ),
)
