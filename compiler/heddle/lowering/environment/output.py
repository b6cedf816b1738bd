"""How the result of a kernel gets its arrays, and how the loops write into them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from enum import Enum
from typing import TYPE_CHECKING

from heddle.iteration_graph.analysis.assembly import Appended
from heddle.iteration_graph.graph.nodes import Statement
from heddle.loop_ir.nodes import Array, SharedPattern, Stmt
from heddle.lowering.environment.kernel_kind import KernelKind
from heddle.notation.nodes import Access

if TYPE_CHECKING:
    from heddle.lowering.environment.kernel_context import KernelContext
    from heddle.lowering.environment.loop_environment import LoopEnvironment, LowerStatement


class RowMaking(Enum):
    """What becomes of a listed workspace whose consumer appends the list to the result as it is: it is LISTED like any
    other; only BOUNDED, where a bound on the row's length is all that is needed; summed IN_RESULT, where the order of
    the row is free; or GATHERED at the coordinates that the result has already."""

    LISTED = "listed"
    BOUNDED = "bounded"
    IN_RESULT = "in the result"
    GATHERED = "gathered"


class Output(ABC):
    """One of the ways to make a result. Each is a file of ``results/``; a kernel has one from its beginning.

    The defaults are those of a result whose arrays are there, and whose positions are known.
    """

    __slots__ = ()

    @property
    def appended(self) -> Appended | None:
        """The levels to which the loops append coordinates, if there are any."""
        return None

    @property
    def allocates(self) -> bool:
        """Whether the kernel obtains the arrays of the result itself, as long as they must be."""
        return False

    @property
    def counts(self) -> bool:
        """Whether a first pass over the loops counts coordinates, before the pass that computes values."""
        return False

    @property
    def in_order(self) -> bool:
        """Whether every worker comes to the rows that it appends in the order in which the result stores them."""
        return False

    @property
    def pattern(self) -> SharedPattern | None:
        """The operand whose coordinates the result has, for those that make the result's tensor."""
        return None

    def writes(self, array: Array) -> bool:
        """Whether the kernel writes this array of the result, rather than reading it."""
        return True

    def owner(self, level: int) -> Access | None:
        """The operand whose positions the ``level`` of the result (from 1) has; None for positions of its own."""
        return None

    def row_making(self, kind: KernelKind) -> RowMaking:
        """What a pass of this ``kind`` over the loops does with an appended list."""
        return RowMaking.LISTED

    @abstractmethod
    def lower(self, kernel: KernelContext, lower: LowerStatement) -> list[Stmt]:
        """All loops of the kernel, with the memory of the result around them. ``lower`` emits a statement of the graph.

        Raises
        ------
        Refusal
            ``runtime/stationary``, for coordinates that cannot be found again in the order of the loops.
        """

    def open_segment(self, environment: LoopEnvironment, statement: Statement, lower: LowerStatement) -> bool:
        """Where this place owns a segment of the result: emit ``statement`` between what opens and closes it. False
        elsewhere, and nothing is emitted."""
        return False

    def append(self, environment: LoopEnvironment, statement: Statement, lower: LowerStatement) -> bool:
        """Where coordinates of the result became known: emit ``statement`` at the position that they get, and append
        them. False elsewhere, and nothing is emitted."""
        return False
