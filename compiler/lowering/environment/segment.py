"""The row that a loop over positions sums up, and how the nest notices that it ends."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from compiler.loop_ir.nodes import Stmt, Var
from compiler.notation.nodes import Access
from compiler.origin import Origin

if TYPE_CHECKING:
    from compiler.lowering.environment.loop_environment import LoopEnvironment


@dataclass(frozen=True, slots=True)
class Segment:
    """The loop over ``variable`` sums one row after another: that where the tracker of ``access`` at ``level`` stands,
    or whose coordinates ``rows`` hold (-1 in front of the first). ``end_of_row`` says what happens where one ends."""

    variable: str
    access: Access
    level: int
    rows: dict[str, Var]
    origin: Origin
    end_of_row: Callable[[LoopEnvironment], list[Stmt]]
