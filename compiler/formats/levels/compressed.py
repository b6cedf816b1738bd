"""The compressed level: only stored coordinates, in segments ``pos[p] … pos[p + 1]`` of ``crd`` (FEATURES T4)."""

from __future__ import annotations

from compiler.formats.levels.level import LevelStorage, ParentSearch, Range
from compiler.loop_ir import build
from compiler.loop_ir.nodes import Array, Expr


class Compressed:
    """Ordered and unique coordinates in each segment; a coordinate is located by a binary search."""

    name = "compressed"
    arrays: tuple[str, ...] = ("pos", "crd")
    full = False
    can_locate = False
    can_iterate = True

    def locate(self, storage: LevelStorage, parent: Expr, coordinate: Expr) -> Expr:
        raise TypeError("a compressed level is located by a search, not by a formula")

    def children(self, storage: LevelStorage, parents: Range) -> Range:
        pos = _pos(storage)
        zero = build.index(0)  # pos[0] is 0 in every packed tensor
        lower = zero if parents.lower == zero else build.load(pos, parents.lower)
        return Range(lower, build.load(pos, parents.upper))

    def coordinate(self, storage: LevelStorage, position: Expr, path: tuple[str, ...]) -> Expr:
        assert storage.crd is not None
        return build.load(storage.crd, position, path)

    def parent(self, storage: LevelStorage, position: Expr) -> Expr | ParentSearch:
        return ParentSearch(_pos(storage))


def _pos(storage: LevelStorage) -> Array:
    assert storage.pos is not None
    return storage.pos


COMPRESSED = Compressed()
