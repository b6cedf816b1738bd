"""The levels of a hash workspace, once its keys are sorted: each key holds the coordinates of all levels, the first one
most significant. No tensor is stored so."""

from __future__ import annotations

from heddle.formats.levels.level import LevelStorage, ParentSearch, Range
from heddle.formats.levels.searched import Searched, crd_of
from heddle.loop_ir import build
from heddle.loop_ir.nodes import Expr


class Mapped(Searched):
    """Positions are slots; those of a level below the first are the parent's."""

    name = "mapped"
    arrays = ("crd",)
    branchless = False
    compact = True

    def children(self, storage: LevelStorage, parents: Range) -> Range:
        if storage.number > 1:
            return parents
        assert storage.count is not None
        return Range(build.index(0), storage.count)

    def coordinate(
        self, storage: LevelStorage, position: Expr, path: tuple[str, ...], parent: Expr | None = None
    ) -> Expr:
        assert storage.stride is not None
        key = build.load(crd_of(storage), position, path)
        above = build.floor_divide(key, storage.stride)
        return above if storage.number == 1 else build.modulo(above, storage.size)

    def parent(self, storage: LevelStorage, position: Expr) -> Expr | ParentSearch:
        return position if storage.number > 1 else build.index(0)


MAPPED = Mapped()
