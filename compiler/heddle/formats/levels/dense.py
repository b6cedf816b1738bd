"""The dense level: every coordinate is stored; the position is computed (full, ordered, unique, compact).

Insert: write at the located position; memory and zeros for the whole dimension come first. Append: none.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from heddle.counts import repeat
from heddle.formats.levels.level import Emitter, LevelStorage, ParentSearch, Range, TensorKind
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
from heddle.loop_ir.nodes import Expr


class Dense(TensorKind):
    """``position = parent * size + coordinate``."""

    name = "dense"
    summary = "every coordinate of the dimension"
    full = True
    iterated = False
    can_locate = True
    inside_blocks = True
    holds_every_coordinate: ClassVar[bool] = True
    pads_with_values = True
    counts_below: ClassVar[bool] = False
    assembled = True
    ordered_by: ClassVar[OrderedBy | None] = OrderedBy.COORDINATES
    axis: ClassVar[str | None] = "dense_fixed"

    def locate(self, storage: LevelStorage, parent: Expr, coordinate: Expr) -> Expr:
        return build.add(build.mul(parent, storage.size), coordinate)

    def children(self, storage: LevelStorage, parents: Range) -> Range:
        return Range(build.mul(parents.lower, storage.size), build.mul(parents.upper, storage.size))

    def coordinate(
        self, storage: LevelStorage, position: Expr, path: tuple[str, ...], parent: Expr | None = None
    ) -> Expr:
        return build.modulo(position, storage.size) if storage.number > 1 else position

    def parent(self, storage: LevelStorage, position: Expr) -> Expr | ParentSearch:
        return build.floor_divide(position, storage.size) if storage.number > 1 else build.index(0)

    def lower_bound(
        self, storage: LevelStorage, parent: Expr, among: Range, coordinate: Expr, name_hint: str, emit: Emitter
    ) -> Expr:
        # A tile past the end is empty: its first position is the end, and not beyond the arrays below.
        return self.locate(storage, parent, build.minimum(coordinate, storage.size))

    def find(
        self,
        storage: LevelStorage,
        parents: Range,
        coordinate: Expr,
        name_hint: str,
        path: tuple[str, ...],
        emit: Emitter,
    ) -> tuple[Expr, Expr]:
        return self.locate(storage, parents.lower, coordinate), build.TRUE

    def build(self, entries: LevelEntries) -> BuiltLevel:
        if entries.parents == 1:
            positions = entries.coordinates.astype(np.int64)
        else:
            positions = entries.parent_positions * entries.size + entries.coordinates
        return BuiltLevel(LevelArrays(), entries.parents * entries.size, positions)

    def expand(self, level: StoredLevel) -> Expanded:
        coordinates = np.tile(np.arange(level.size, dtype=np.int64), level.parents)
        return Expanded(coordinates, repeat(np.arange(level.parents), level.size))

    def validate(self, check: LevelCheck) -> Checked:
        return Checked(check.parents * check.size)

    def allocate(self, number: int, parents: int, size: int, take: Take) -> tuple[LevelArrays, int]:
        return LevelArrays(), parents * size


DENSE = Dense()
