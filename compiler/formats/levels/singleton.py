"""The singleton level: one coordinate for each parent position, so that positions are the parent's (Chou et al. 2018).

Behind a level whose coordinates repeat it makes COO: parallel arrays of coordinates. Append: write ``crd`` at the
parent's position. Insert: none.
"""

from __future__ import annotations

from compiler.formats.levels.level import LevelStorage, ParentSearch, Range
from compiler.formats.levels.searched import Searched
from compiler.loop_ir.nodes import Expr


class Singleton(Searched):
    """``position = parent``."""

    name = "singleton"
    arrays: tuple[str, ...] = ("crd",)
    branchless = True
    compact = True

    def children(self, storage: LevelStorage, parents: Range) -> Range:
        return parents

    def parent(self, storage: LevelStorage, position: Expr) -> Expr | ParentSearch:
        return position


SINGLETON = Singleton()
