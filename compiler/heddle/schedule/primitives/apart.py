"""``apart(i)``: the statements under one loop, each under a loop of its own (docs/sources.toml C12).

Before: ``∀i (P ; C)``. After: ``∀i P ; ∀i' C``, where ``i'`` is a copy of ``i`` and of what it was cut from. What ``P``
computes needs memory for ``i`` again.
"""

from __future__ import annotations

from dataclasses import dataclass

from heddle.iteration_graph.graph.nodes import IterationGraph
from heddle.iteration_graph.transform.separate_loops import separate, statements_under
from heddle.schedule.checks import require_loop, require_untagged
from heddle.schedule.command import CommandSpec, Refusal, argument
from heddle.schedule.fusion_checks import require_statements


@dataclass(frozen=True, slots=True)
class Apart:
    variable: str = argument("variable", "a loop that several statements share")

    def apply(self, graph: IterationGraph, number: int) -> IterationGraph:
        require_statements(graph)
        require_loop(graph, self.variable, "variable")
        require_untagged(graph, self.variable, "variable")
        groups = statements_under(graph, self.variable)
        if len(groups) < 2:
            raise Refusal(
                "schedule/apart-single",
                f"only one statement stands directly inside the loop over {self.variable}.",
                argument="variable",
                expected="a loop that several statements share",
                actual=self.variable,
            )
        return separate(graph, self.variable, groups)


SPEC = CommandSpec(
    name="apart",
    make=Apart,
    summary="Give each statement under a shared loop a loop of its own again.",
    before="for i in [0, I):\n  t = f(i)\n  y(i) = g(t)",
    after="for i in [0, I):\n  t(i) = f(i)\nfor iw in [0, I):\n  y(iw) = g(t(iw))",
    preconditions=(
        "several statements stand directly inside the loop, which is not tagged",
        "what one of them computes for another has an index for the loop",
    ),
)
