"""The touched level of a workspace: the list of coordinates that were written. No tensor is stored so."""

from __future__ import annotations

from heddle.formats.levels.level import LevelStorage, ParentSearch, Range
from heddle.formats.levels.searched import Searched
from heddle.loop_ir import build
from heddle.loop_ir.nodes import Expr


class Touched(Searched):
    """Unique coordinates, ordered once they are sorted, under one root."""

    name = "touched"
    arrays = ("crd",)
    branchless = False
    compact = True

    def children(self, storage: LevelStorage, parents: Range) -> Range:
        assert storage.count is not None
        return Range(storage.begin or build.index(0), storage.count)

    def parent(self, storage: LevelStorage, position: Expr) -> Expr | ParentSearch:
        return build.index(0)


TOUCHED = Touched()
