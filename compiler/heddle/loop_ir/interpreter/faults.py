"""What the checked interpreter finds: each fault names the statement, where it stood, and the schedule command."""

from __future__ import annotations

from heddle.loop_ir.nodes import Block, Stmt
from heddle.loop_ir.printing.printer import headline
from heddle.origin import Origin

Iteration = tuple[tuple[str, int], ...]
"""Loop variables and their values, outermost first."""


class Fault(Exception):  # noqa: N818 - a fault of the kernel, not an error of the interpreter
    """A run that a compiled kernel would turn into a wrong result or a crash.

    ``bound`` is the exclusive upper bound that ``index`` breaks, where there is one. ``iteration`` holds all enclosing
    loops.
    """

    def __init__(
        self,
        detail: str,
        statement: Stmt,
        iteration: Iteration,
        array: str | None = None,
        index: int | None = None,
        bound: int | None = None,
    ) -> None:
        super().__init__(detail, statement, iteration, array, index, bound)
        self.detail = detail
        self.statement = statement
        self.iteration = iteration
        self.array = array
        self.index = index
        self.bound = bound

    @property
    def origin(self) -> Origin | None:
        """The origin of the statement; its ``command`` is the schedule command that caused it."""
        return None if isinstance(self.statement, Block) else self.statement.origin

    def __str__(self) -> str:
        where = "".join(f", {name}={value}" for name, value in self.iteration).removeprefix(", ")
        text = f"{self.detail}, in `{headline(self.statement)}`" + (f" at {where}" if where else "")
        command = self.origin.command if self.origin else None
        return text if command is None else f"{text}, from schedule command {command}"


class OutOfBounds(Fault):
    """A load, store, search or fill outside its array."""


class UninitialisedRead(Fault):
    """A load of an element that nothing has written yet."""


class UnwrittenElement(Fault):
    """An element of a result that nothing has written when the kernel ends."""


class IntegerFault(Fault):
    """An integer overflow, a division by zero or of a negative number, a value too large for its array."""


class UnsortedSearch(Fault):
    """A binary search in a range that is not sorted, or whose end is before its start."""


class StepLimitExceeded(Fault):
    """The kernel ran for more steps than the caller allows: most likely it never ends."""


class DivergentBarrier(Fault):
    """Threads that would have to meet at a barrier or a combination take different ways."""


class DataRace(Fault):
    """Two iterations of a parallel loop touch the same location, at least one writes, and not both are atomic.

    ``other`` and ``other_iteration`` are the access that came first; its iteration holds the parallel loops only.
    """

    def __init__(
        self,
        detail: str,
        statement: Stmt,
        iteration: Iteration,
        array: str | None = None,
        index: int | None = None,
        bound: int | None = None,
        other: Stmt | None = None,
        other_iteration: Iteration = (),
    ) -> None:
        super().__init__(detail, statement, iteration, array, index, bound)
        self.args = (*self.args, other, other_iteration)
        self.other = other
        self.other_iteration = other_iteration
