"""What the loops around a place add up, and where assignments go on the way."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from heddle.loop_ir.nodes import Stmt, Var
from heddle.lowering.environment.destination import Destination
from heddle.notation.nodes import Access
from heddle.origin import Origin

if TYPE_CHECKING:
    from heddle.lowering.environment.loop_environment import LoopEnvironment


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


@dataclass(frozen=True, slots=True)
class Accumulators:
    """``destinations``: where assignments to tensors go that do not go to their memory here. ``segment``: the row that
    the innermost loop with segmented sums adds up. ``loaded``: values of operands that were loaded in front of loops
    whose iterations have a sum each."""

    destinations: Mapping[str, Destination] = field(default_factory=dict)
    segment: Segment | None = None
    loaded: Mapping[Access, Var] = field(default_factory=dict)

    def redirect(self, tensor: str, destination: Destination | None) -> Accumulators:
        """With assignments to ``tensor`` going to ``destination``, or to its memory for None."""
        others = {name: known for name, known in self.destinations.items() if name != tensor}
        return replace(self, destinations=others if destination is None else {**others, tensor: destination})
