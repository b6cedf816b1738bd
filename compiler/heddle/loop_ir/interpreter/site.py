"""The place of one statement in a run: what a fault or a trace event must say about it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NoReturn

from heddle.loop_ir.interpreter.faults import DataRace, Fault, Iteration
from heddle.loop_ir.nodes import Stmt

Worker = tuple[int, ...]
"""Instance number and iteration of each enclosing parallel loop, outermost first: (instance, iteration, …)."""


@dataclass(frozen=True, slots=True)
class Site:
    """``loops`` are the enclosing ``for`` loops: variable, slot of its value in ``scalars``, and whether parallel."""

    statement: Stmt
    number: int
    line: int
    loops: tuple[tuple[str, int, bool], ...]
    scalars: Sequence[Any]
    _parallel: tuple[tuple[str, int], ...] = field(init=False, repr=False)
    """Variable and slot of the parallel ones: every event asks for these."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "_parallel", tuple((name, slot) for name, slot, parallel in self.loops if parallel))

    @property
    def depth(self) -> int:
        """How many parallel loops enclose the statement."""
        return len(self._parallel)

    def iteration(self) -> Iteration:
        return tuple((name, self.scalars[slot]) for name, slot, _ in self.loops)

    def worker(self) -> Iteration:
        if not self._parallel:
            return ()
        scalars = self.scalars
        return tuple([(name, scalars[slot]) for name, slot in self._parallel])

    def fail(
        self,
        fault: type[Fault],
        detail: str,
        array: str | None = None,
        index: int | None = None,
        bound: int | None = None,
    ) -> NoReturn:
        raise fault(detail, self.statement, self.iteration(), array, index, bound)

    def race(self, access: Access, what: str, name: str, index: int | None) -> NoReturn:
        """Fails because ``what`` happens to a location that ``access`` touched in another parallel iteration."""
        parallel = [variable for variable, _, is_parallel in access.site.loops if is_parallel]
        other = tuple(zip(parallel, access.worker[1::2], strict=False))
        where = ", ".join(f"{variable}={value}" for variable, value in other)
        location = name if index is None else f"{name}[{index}]"
        detail = f"data race: {what} of {location}, which iteration {where} also touches"
        raise DataRace(detail, self.statement, self.iteration(), name, index, None, access.site.statement, other)


@dataclass(slots=True)
class Access:
    worker: Worker
    site: Site
