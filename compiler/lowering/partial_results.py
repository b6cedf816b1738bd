"""What a place in the loop nest adds into instead of the result: sums that wait to be stored (FEATURES T44, T48)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from compiler.loop_ir.nodes import Array, Expr, Stmt, Var
from compiler.notation.nodes import Access
from compiler.origin import Origin

if TYPE_CHECKING:
    from compiler.lowering.scope import Scope


@dataclass(frozen=True, slots=True)
class Segment:
    """The sum that the loop over ``variable`` keeps for the row where the tracker of ``access`` at ``level`` stands, or
    whose coordinates ``rows`` hold (-1 in front of the first). ``first`` is true until the first row has been stored;
    None when other workers share every row, or no row (``shared`` says which)."""

    target: Access
    variable: str
    access: Access
    level: int
    rows: dict[str, Var]
    total: Var
    first: Var | None
    shared: bool
    origin: Origin
    end_of_row: Callable[[Scope], list[Stmt]]
    operator: str


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
