"""The dense level: every coordinate is stored; the position is computed (full, ordered, unique, compact)."""

from __future__ import annotations

from compiler.formats.levels.level import LevelStorage, ParentSearch, Range
from compiler.loop_ir import build
from compiler.loop_ir.nodes import Expr


class Dense:
    """``position = parent * size + coordinate``."""

    name = "dense"
    arrays: tuple[str, ...] = ()
    full = True
    can_locate = True
    can_iterate = False

    def locate(self, storage: LevelStorage, parent: Expr, coordinate: Expr) -> Expr:
        return build.add(build.mul(parent, storage.size), coordinate)

    def children(self, storage: LevelStorage, parents: Range) -> Range:
        return Range(build.mul(parents.lower, storage.size), build.mul(parents.upper, storage.size))

    def coordinate(self, storage: LevelStorage, position: Expr, path: tuple[str, ...]) -> Expr:
        return build.modulo(position, storage.size) if storage.number > 1 else position

    def parent(self, storage: LevelStorage, position: Expr) -> Expr | ParentSearch:
        return build.floor_divide(position, storage.size) if storage.number > 1 else build.index(0)


DENSE = Dense()
