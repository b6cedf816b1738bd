"""The optional level: one place for each parent position, which holds one coordinate or none, as in sliced ELL.

A place that holds none has the size of the dimension for a coordinate: behind all others. Append and insert: none.
"""

from __future__ import annotations

from compiler.formats.levels.level import LevelStorage, ParentSearch, Range, Stored
from compiler.formats.levels.searched import Searched
from compiler.loop_ir import build
from compiler.loop_ir.nodes import Expr


class Optional(Searched):
    """``position = parent``."""

    name = "optional"
    arrays: tuple[str, ...] = ("crd",)
    branchless = True
    compact = False

    def children(self, storage: LevelStorage, parents: Range) -> Range:
        return parents

    def parent(self, storage: LevelStorage, position: Expr) -> Expr | ParentSearch:
        return position

    def stored(self, storage: LevelStorage, position: Expr, coordinate: Expr) -> tuple[Stored, ...]:
        return (Stored(build.compare("<", coordinate, storage.size), above=True),)


OPTIONAL = Optional()
