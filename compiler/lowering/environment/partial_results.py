"""What a place in the loop nest adds into instead of the result: sums that wait to be stored
(docs/sources.md T44, T48)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from compiler.iteration_graph.graph.nodes import Assign
from compiler.loop_ir.nodes import Array, Expr, Stmt, Var
from compiler.notation.nodes import Access
from compiler.origin import Origin

if TYPE_CHECKING:
    from compiler.lowering.environment.loop_environment import LoopEnvironment


@dataclass(frozen=True, slots=True)
class Sums:
    """Sums side by side: ``element`` is that of ``array`` for the current iterations of some loops inside."""

    array: Array
    element: Access

    @property
    def variables(self) -> tuple[str, ...]:
        """The loops whose iterations have a sum each, outermost first."""
        return self.element.indices


@dataclass(frozen=True, slots=True)
class Segment:
    """What the loop over ``variable`` keeps of the assignment ``written``, one sum or several side by side, for the row
    where the tracker of ``access`` at ``level`` stands, or whose coordinates ``rows`` hold (-1 in front of the first).
    ``restart`` makes the sums neutral. ``first`` is true until the first row has been stored; None when other workers
    share every row, or no row (``shared`` says which)."""

    written: Assign
    variable: str
    access: Access
    level: int
    rows: dict[str, Var]
    total: Var | Sums
    restart: Stmt
    first: Var | None
    shared: bool
    origin: Origin
    end_of_row: Callable[[LoopEnvironment], list[Stmt]]


@dataclass(frozen=True, slots=True)
class Copies:
    """Partial results of the parts of a parallel loop: ``size`` elements for each, that of ``part`` in turn."""

    array: Array
    size: Expr
    part: Var


@dataclass(frozen=True, slots=True)
class Run:
    """Each lane of the parallel loop over ``variable`` (by ``command``) keeps in ``total`` what it adds last, for the
    element at ``place``, -1 for none. Its last store stands inside the loops ``entered``."""

    total: Var
    place: Var
    variable: str
    entered: frozenset[str]
    command: int
