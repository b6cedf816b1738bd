"""``unroll(i, factor)``: unroll a loop by a constant factor (docs/sources.toml T29)."""

from __future__ import annotations

from dataclasses import dataclass

from heddle.iteration_graph.graph.nodes import IterationGraph, UnrollTag
from heddle.schedule.checks import require_loop, require_untagged
from heddle.schedule.command import CommandSpec, Refusal, argument

MAX_FACTOR = 64


@dataclass(frozen=True, slots=True)
class Unroll:
    variable: str = argument("variable", "the loop to unroll")
    factor: int = argument("integer", f"iterations per trip, 2 to {MAX_FACTOR}", suggestions=(2, 4, 8))

    def apply(self, graph: IterationGraph, number: int) -> IterationGraph:
        require_loop(graph, self.variable, "variable")
        require_untagged(graph, self.variable, "variable")
        if not 2 <= self.factor <= MAX_FACTOR:
            raise Refusal(
                "schedule/bad-factor",
                f"the unroll factor must be between 2 and {MAX_FACTOR}, not {self.factor}.",
                argument="factor",
                expected=f"an integer between 2 and {MAX_FACTOR}",
                actual=str(self.factor),
                replacement="4",
            )
        return graph.with_tags(unroll={**graph.unroll, self.variable: UnrollTag(self.factor, number)})


SPEC = CommandSpec(
    name="unroll",
    make=Unroll,
    summary="Unroll a loop by a constant factor: less control flow, more code; a sum keeps one partial sum per step.",
    before="for k in [0, n):\n  s += a[k]",
    after="for t in [0, n / 2):\n  s += a[2 t]; s_1 += a[2 t + 1]\n…\ns += s_1",
    preconditions=("the variable is a for-loop without a tag", f"the factor is between 2 and {MAX_FACTOR}"),
)
