"""What the loops around a place add up, and where assignments go on the way."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import TYPE_CHECKING

from heddle.loop_ir.nodes import Stmt, Var
from heddle.lowering.environment.destination import Destination
from heddle.notation.nodes import Access
from heddle.origin import Origin

if TYPE_CHECKING:
    from heddle.lowering.environment.loop_environment import LoopEnvironment


class Unsegmented(Enum):
    """Why the iterations of a loop do not add up one row of positions after another in registers, in words that stand
    behind "since"."""

    APPENDED = "the result is appended to, in an order of its own"
    SEVERAL_SUMS = "the loop stores more than one sum, or none"
    SUMMED_ALREADY = "a loop around this one holds the sum"
    OTHER_ROWS = "the element is not decided by the coordinates above the positions"
    IN_PARALLEL = "its iterations run in parallel: of a loop that it is split into, each worker can take a run of them"
    OTHER_COLUMNS = "loops inside, which find the element too, run in parallel or for no constant length"
    HALF_A_POSITION = "the loop does not complete the position by itself"
    MERGED = "the positions are merged with other operands"
    OUT_OF_ORDER = "the positions do not ascend with the loop"
    SEARCHED = "the coordinates above the positions are neither all tracked nor enough to find the element"
    EMPTY_POSITIONS = "a level above the positions has positions without an entry, where a row would end nowhere"


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
class LoopSums:
    """``destinations``: where assignments to tensors go that do not go to their memory here. ``segment``: the row that
    the innermost loop with segmented sums adds up. ``loaded``: values of operands that were loaded in front of loops
    whose iterations have a sum each."""

    destinations: Mapping[str, Destination] = field(default_factory=dict)
    segment: Segment | None = None
    loaded: Mapping[Access, Var] = field(default_factory=dict)

    def redirect(self, tensor: str, destination: Destination | None) -> LoopSums:
        """With assignments to ``tensor`` going to ``destination``, or to its memory for None."""
        others = {name: known for name, known in self.destinations.items() if name != tensor}
        return replace(self, destinations=others if destination is None else {**others, tensor: destination})
