"""The diagonals level: one slot for each stored diagonal of a matrix, the same ones for every parent.

It only counts them; the ``shifted`` level below says which column a row has on each. Append and insert: none.
"""

from __future__ import annotations

from compiler.formats.levels.level import Emitter, LevelStorage, ParentSearch, Range, Stored
from compiler.formats.levels.padded import width_of
from compiler.loop_ir import build
from compiler.loop_ir.nodes import Expr


class Diagonals:
    """``position = parent * width + slot``; the coordinate is the number of the slot."""

    name = "diagonals"
    arrays: tuple[str, ...] = ("width",)
    full = False
    branchless = False
    compact = True
    iterated = True
    can_locate = False

    def locate(self, storage: LevelStorage, parent: Expr, coordinate: Expr) -> Expr:
        raise TypeError("slots are walked one after the other")

    def children(self, storage: LevelStorage, parents: Range) -> Range:
        width = width_of(storage)
        return Range(build.mul(parents.lower, width), build.mul(parents.upper, width))

    def coordinate(
        self, storage: LevelStorage, position: Expr, path: tuple[str, ...], parent: Expr | None = None
    ) -> Expr:
        if parent is None:
            return build.modulo(position, width_of(storage))
        return build.sub(position, build.mul(parent, width_of(storage)))

    def parent(self, storage: LevelStorage, position: Expr) -> Expr | ParentSearch:
        return build.floor_divide(position, width_of(storage))

    def stored(self, storage: LevelStorage, position: Expr, coordinate: Expr) -> tuple[Stored, ...]:
        return ()

    def lower_bound(
        self, storage: LevelStorage, parent: Expr, among: Range, coordinate: Expr, wish: str, emit: Emitter
    ) -> Expr:
        first = build.mul(parent, width_of(storage))
        return build.minimum(build.maximum(build.add(first, coordinate), among.lower), among.upper)

    def find(
        self, storage: LevelStorage, parents: Range, coordinate: Expr, wish: str, path: tuple[str, ...], emit: Emitter
    ) -> tuple[Expr, Expr]:
        segment = self.children(storage, parents)
        position = build.add(segment.lower, coordinate)
        return position, build.compare("<", position, segment.upper)


DIAGONALS = Diagonals()
