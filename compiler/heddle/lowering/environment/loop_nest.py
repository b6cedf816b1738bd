"""The loops around a place: which were entered, and which worker runs there."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from heddle.iteration_graph.graph.nodes import ParallelTag
from heddle.loop_ir.nodes import Allocate, AllocateMap, Expr


@dataclass(frozen=True, slots=True)
class LoopNest:
    """The variables of the loops that were ``entered``, the ``innermost`` of them, and those that are ``parallel``,
    outermost first."""

    entered: frozenset[str] = frozenset()
    innermost: str | None = None
    parallel: tuple[tuple[str, ParallelTag], ...] = ()

    def inside(self, variable: str, tag: ParallelTag | None) -> LoopNest:
        """The body of the loop over ``variable``, which ``tag`` makes parallel."""
        parallel = (*self.parallel, (variable, tag)) if tag is not None else self.parallel
        return LoopNest(self.entered | {variable}, variable, parallel)

    def at(self, variable: str) -> LoopNest:
        """Where ``variable`` has a single value: there is no loop to enter."""
        return replace(self, entered=self.entered | {variable})


@dataclass(frozen=True, slots=True)
class Worker:
    """A worker of the loop over threads around a place: the workspaces of its own, which are appended to
    ``allocations`` as they are needed, and the number of its ``iteration`` where that is known."""

    allocations: list[Allocate | AllocateMap] = field(default_factory=list)
    iteration: Expr | None = None
