"""A goal: what a person wants, and the schedules that may lead there."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from heddle.iteration_graph.graph.nodes import IterationGraph
from heddle.iteration_graph.graph.provenance import loop_variables, variables
from heddle.names import Names

Commands = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Start:
    """Where a schedule stands: the graph after its ``commands``."""

    graph: IterationGraph
    commands: Commands

    @property
    def loops(self) -> list[str]:
        return loop_variables(self.graph.statement)

    def names(self) -> Names:
        return Names({*variables(self.graph), *self.graph.signature.tensors, *self.graph.workspaces})

    def then(self, *commands: str) -> Commands:
        return (*self.commands, *commands)


@dataclass(frozen=True, slots=True)
class Goal:
    """``schedules`` are whole schedules, the best first; which of them compiles is for the compile to say. ``why`` says
    in one sentence what is gained."""

    name: str
    title: str
    why: str
    schedules: Callable[[Start], Iterator[Commands]]
