"""The compressed level: only stored coordinates, in segments ``pos[p] … pos[p + 1]`` of ``crd`` (docs/sources.md T4).

Append: write ``crd`` at the next position, and ``pos[parent + 1]`` behind the segment. Insert: none.
"""

from __future__ import annotations

from compiler.formats.levels.level import LevelStorage, ParentSearch, Range
from compiler.formats.levels.searched import Searched
from compiler.loop_ir import build
from compiler.loop_ir.nodes import Array, Expr


class Compressed(Searched):
    """Ordered coordinates in each segment; a coordinate is found by a binary search."""

    name = "compressed"
    arrays: tuple[str, ...] = ("pos", "crd")
    branchless = False
    compact = True

    def children(self, storage: LevelStorage, parents: Range) -> Range:
        pos = _pos(storage)
        zero = build.index(0)  # pos[0] is 0 in every packed tensor
        lower = zero if parents.lower == zero else build.load(pos, parents.lower)
        return Range(lower, build.load(pos, parents.upper))

    def parent(self, storage: LevelStorage, position: Expr) -> Expr | ParentSearch:
        return ParentSearch(_pos(storage))


def _pos(storage: LevelStorage) -> Array:
    assert storage.pos is not None
    return storage.pos


COMPRESSED = Compressed()
