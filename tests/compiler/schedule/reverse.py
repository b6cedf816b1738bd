"""A command that Heddle does not have, as one file: ``reverse(i, ir)`` runs a loop backwards.

``i = i_min + i_max − 1 − ir``: neither monotone nor a window, so that everything that counts on either must ask.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Self

from heddle.formats.levels.level import Range
from heddle.iteration_graph.graph.environment import Environment
from heddle.iteration_graph.graph.nodes import Forall, IterationGraph
from heddle.iteration_graph.graph.provenance import is_position
from heddle.iteration_graph.graph.relation import Relation
from heddle.iteration_graph.graph.rewrite import replace_loop
from heddle.loop_ir import build
from heddle.loop_ir.nodes import Expr
from heddle.origin import Role
from heddle.schedule.checks import require_loop, require_new, require_untagged
from heddle.schedule.command import CommandSpec, Refusal, argument


@dataclass(frozen=True, slots=True)
class ReverseRelation(Relation):
    command: int = field()
    parent: str
    reversed: str
    kind: str = "reverse"

    @property
    def parents(self) -> tuple[str, ...]:
        return (self.parent,)

    @property
    def children(self) -> tuple[str, ...]:
        return (self.reversed,)

    @property
    def monotone(self) -> bool:
        return False

    @property
    def ascending(self) -> bool:
        return False

    def derives(self, child: str) -> bool:
        return True

    def domain(self, child: str, environment: Environment) -> Range:
        return environment.domain(self.parent)

    def recover(self, environment: Environment) -> None:
        environment.bind(self.parent, self._mirrored(environment.value(self.reversed), environment), Role.RECOVERY)

    def derive(self, child: str, environment: Environment) -> Expr:
        return self._mirrored(environment.value(self.parent), environment)

    def _mirrored(self, value: Expr, environment: Environment) -> Expr:
        whole = environment.domain(self.parent)
        last = build.sub(build.add(whole.lower, whole.upper), build.index(1))
        return build.sub(last, value)

    def hull(self, parent: str, children: dict[str, Range], environment: Environment) -> Range:
        whole, part = environment.domain(self.parent), children[self.reversed]
        ends = build.add(whole.lower, whole.upper)
        return Range(build.sub(ends, part.upper), build.sub(ends, part.lower))

    def is_window(self, known: set[str]) -> str | None:
        return None

    def rename(self, names: Mapping[str, str]) -> Self:
        parent, backwards = (names.get(variable, variable) for variable in (self.parent, self.reversed))
        return replace(self, parent=parent, reversed=backwards)

    def bounds_text(self) -> list[str]:
        return [f"{self.reversed} ∈ [{self.parent}_min, {self.parent}_max)"]

    def recovery_text(self) -> list[str]:
        i = self.parent
        return [f"{i} = {i}_min + {i}_max − 1 − {self.reversed}"]

    def text(self) -> str:
        return f"reverse({self.parent}, {self.reversed})"


@dataclass(frozen=True, slots=True)
class Reverse:
    variable: str = argument("variable", "the loop to run backwards")
    reversed: str = argument("new-variable", "the loop that counts from its end", suggestions=("{}r",))

    def apply(self, graph: IterationGraph, number: int) -> IterationGraph:
        require_loop(graph, self.variable, "variable")
        require_untagged(graph, self.variable, "variable")
        require_new(graph, {"reversed": self.reversed})
        if is_position(graph, self.variable):
            raise Refusal(
                "schedule/reverse-of-positions",
                f"{self.variable} runs over positions, which are found one after the other. Reverse a loop over "
                f"coordinates.",
                argument="variable",
                expected="a coordinate variable",
                actual=f"{self.variable}, a position variable",
            )
        relation = ReverseRelation(number, self.variable, self.reversed)
        statement = replace_loop(graph.statement, self.variable, lambda loop: Forall(self.reversed, loop.body))
        return graph.with_relation(relation, statement)


SPEC = CommandSpec(
    name="reverse",
    make=Reverse,
    summary="Run a loop backwards.",
    before="for i in [0, I):\n  S(i)",
    after="for ir in [0, I):\n  i = I − 1 − ir\n  S(i)",
    preconditions=("the variable is a loop over coordinates without a tag", "the new name is free"),
)
