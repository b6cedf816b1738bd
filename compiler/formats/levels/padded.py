"""The padded level: the same number of slots for every parent, as in ELL; unused slots hold the dimension's size.

That coordinate lies behind all others, so a segment stays sorted, and no padding is ever taken for an entry. Append:
write ``crd`` at the next free slot of the parent; ``width`` must be known in front. Insert: none.
"""

from __future__ import annotations

from compiler.formats.levels.level import LevelStorage, ParentSearch, Range, Stored
from compiler.formats.levels.searched import Searched
from compiler.loop_ir import build
from compiler.loop_ir.nodes import Expr


class Padded(Searched):
    """``position = parent * width + slot``; ``width`` is an array with one element."""

    name = "padded"
    arrays: tuple[str, ...] = ("width", "crd")
    branchless = False
    compact = False

    def children(self, storage: LevelStorage, parents: Range) -> Range:
        width = width_of(storage)
        return Range(build.mul(parents.lower, width), build.mul(parents.upper, width))

    def parent(self, storage: LevelStorage, position: Expr) -> Expr | ParentSearch:
        return build.floor_divide(position, width_of(storage))

    def stored(self, storage: LevelStorage, position: Expr, coordinate: Expr) -> tuple[Stored, ...]:
        return (Stored(build.compare("<", coordinate, storage.size), above=True),)


def width_of(storage: LevelStorage) -> Expr:
    """The number of slots of each parent."""
    return build.load(storage.extra[0], build.index(0))


PADDED = Padded()
