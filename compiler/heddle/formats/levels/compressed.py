"""The compressed level: only stored coordinates, in segments ``pos[p] … pos[p + 1]`` of ``crd`` (docs/sources.toml T4).

Append: write ``crd`` at the next position, and ``pos[parent + 1]`` after the segment. Insert: none.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from heddle.counts import repeat
from heddle.formats.levels.level import LevelStorage, ParentSearch, Range, TensorKind
from heddle.formats.levels.searched import Searched
from heddle.formats.storage.level_check import Checked, LevelCheck
from heddle.formats.storage.level_storage import (
    BuiltLevel,
    Expanded,
    LevelArrays,
    LevelEntries,
    OrderedBy,
    StoredLevel,
    Take,
)
from heddle.loop_ir import build
from heddle.loop_ir.nodes import Array, Expr


class Compressed(Searched, TensorKind):
    """Ordered coordinates in each segment; a coordinate is found by a binary search."""

    name = "compressed"
    summary = "the stored coordinates of each parent, as a segment of crd between two entries of pos"
    arrays = ("pos", "crd")
    lists_coordinates = True
    inside_blocks = True
    counts_below: ClassVar[bool] = False
    assembled = True
    ordered_by: ClassVar[OrderedBy | None] = OrderedBy.COORDINATES
    axis: ClassVar[str | None] = "sparse_variable"

    def children(self, storage: LevelStorage, parents: Range) -> Range:
        pos = _pos(storage)
        zero = build.index(0)  # pos[0] is 0 in every packed tensor
        lower = zero if parents.lower == zero else build.load(pos, parents.lower)
        return Range(lower, build.load(pos, parents.upper))

    def parent(self, storage: LevelStorage, position: Expr) -> Expr | ParentSearch:
        return ParentSearch(_pos(storage))

    def build(self, entries: LevelEntries) -> BuiltLevel:
        parent, index = entries.parent_positions, entries.index
        if entries.innermost:  # each entry has its own position
            pos = entries.memory.segments(parent, entries.parents, index)
            crd = np.ascontiguousarray(entries.coordinates, dtype=index)
            return BuiltLevel(LevelArrays(pos, crd), int(crd.size), None)
        fresh = entries.distinct(*entries.beside)
        pos = entries.memory.segments(parent[fresh], entries.parents, index)
        crd = np.ascontiguousarray(entries.coordinates[fresh], dtype=index)
        return BuiltLevel(LevelArrays(pos, crd), int(crd.size), np.cumsum(fresh) - 1)

    def expand(self, level: StoredLevel) -> Expanded:
        assert level.arrays.pos is not None
        return Expanded(level.crd, repeat(np.arange(level.parents), np.diff(level.arrays.pos)))

    def validate(self, check: LevelCheck) -> Checked:
        steps, pos = check.segments(), check.arrays["pos"]
        crd = check.coordinates(int(pos[-1]), 0, check.size)
        together = np.ones(crd.size, dtype=bool)  # with the entry before, in one segment
        together[pos[:-1][steps > 0]] = False
        return check.in_order(together)

    def allocate(self, number: int, parents: int, size: int, take: Take) -> tuple[LevelArrays, int]:
        pos = take(("pos", number), parents + 1)
        count = int(pos[-1])
        return LevelArrays(pos, take(("crd", number), count)), count


def _pos(storage: LevelStorage) -> Array:
    assert storage.pos is not None
    return storage.pos


COMPRESSED = Compressed()
