"""The offset level: the stored diagonals of a matrix, as in DIA. Below a dense level each row has one slot for each.

``offsets`` holds column minus row of the diagonals, ascending. A slot whose column would lie outside the matrix holds
nothing. Insert: write at the located slot; the offsets must be known beforehand. Append: none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from heddle.counts import repeat
from heddle.formats.levels.level import Emitter, LevelStorage, ParentSearch, Range, Stored, TensorKind
from heddle.formats.levels.padded import width_of
from heddle.formats.storage.level_check import Checked, LevelCheck
from heddle.formats.storage.level_storage import (
    BuiltLevel,
    Expanded,
    LevelArrays,
    LevelEntries,
    Misplaced,
    OrderedBy,
    StoredLevel,
)
from heddle.loop_ir import build
from heddle.loop_ir.nodes import Array, Expr

if TYPE_CHECKING:
    from heddle.formats.format import Format


class Offset(TensorKind):
    """``position = row * width + slot`` and ``coordinate = row + offsets[slot]``; ``width`` counts the diagonals."""

    name = "offset"
    summary = "the diagonals of a matrix: below each row one slot for every stored distance of column and row"
    arrays = ("width", "offsets")
    compact = False
    pads_with_values = True
    ordered_by: ClassVar[OrderedBy | None] = OrderedBy.DIAGONALS

    def children(self, storage: LevelStorage, parents: Range) -> Range:
        width = width_of(storage)
        return Range(build.mul(parents.lower, width), build.mul(parents.upper, width))

    def coordinate(
        self, storage: LevelStorage, position: Expr, path: tuple[str, ...], parent: Expr | None = None
    ) -> Expr:
        width = width_of(storage)
        if parent is None:
            slot, row = build.modulo(position, width), build.floor_divide(position, width)
        else:
            slot, row = build.sub(position, build.mul(parent, width)), parent
        return build.add(build.load(_offsets(storage), slot), row)

    def parent(self, storage: LevelStorage, position: Expr) -> Expr | ParentSearch:
        return build.floor_divide(position, width_of(storage))

    def stored_conditions(self, storage: LevelStorage, position: Expr, coordinate: Expr) -> tuple[Stored, ...]:
        return inside_the_matrix(storage, coordinate)

    def lower_bound(
        self, storage: LevelStorage, parent: Expr, among: Range, coordinate: Expr, name_hint: str, emit: Emitter
    ) -> Expr:
        width, distance = width_of(storage), build.sub(coordinate, parent)
        slots = Range(build.index(0), width)
        slot = emit.search(f"{name_hint}_slot", _offsets(storage), slots, distance, storage.number)
        return build.add(build.mul(parent, width), slot)

    def find(
        self,
        storage: LevelStorage,
        parents: Range,
        coordinate: Expr,
        name_hint: str,
        path: tuple[str, ...],
        emit: Emitter,
    ) -> tuple[Expr, Expr]:
        width, distance = width_of(storage), build.sub(coordinate, parents.lower)
        slots = Range(build.index(0), width)
        slot = emit.search(f"{name_hint}_slot", _offsets(storage), slots, distance, storage.number)
        there = build.compare("==", build.load(_offsets(storage), slot), distance)
        is_stored = build.both(build.compare("<", slot, width), there)
        return build.add(build.mul(parents.lower, width), slot), is_stored

    def find_misplacement(self, format: Format, number: int) -> Misplaced | None:
        if [level.kind for level in format.levels[:number]] == ["dense"]:
            return None
        reason = "an offset level holds the diagonals of a matrix, under a dense level for its rows"
        return Misplaced(number + 1, reason, "dense, offset")

    def build(self, entries: LevelEntries) -> BuiltLevel:
        row = entries.parent_positions
        offsets, slot = np.unique(entries.coordinates.astype(np.int64) - row, return_inverse=True)
        extra = {"width": np.array([offsets.size], entries.index), "offsets": offsets.astype(entries.index)}
        return BuiltLevel(LevelArrays(extra=extra), entries.parents * int(offsets.size), row * offsets.size + slot)

    def expand(self, level: StoredLevel) -> Expanded:
        offsets = level.arrays.extra["offsets"].astype(np.int64)
        parent = repeat(np.arange(level.parents), offsets.size)
        coordinates = np.tile(offsets, level.parents) + level.above[-1][parent]
        return Expanded(coordinates, parent, (coordinates >= 0) & (coordinates < level.size))

    def validate(self, check: LevelCheck) -> Checked:
        width = check.width()
        check.offsets(width)
        return Checked(check.parents * width)


def inside_the_matrix(storage: LevelStorage, coordinate: Expr) -> tuple[Stored, ...]:
    """Whether a position on a diagonal, whose coordinate may be outside the matrix on either side, holds an entry."""
    below = build.compare("<", coordinate, storage.size)
    return Stored(below, above=True), Stored(build.compare(">=", coordinate, build.index(0)), above=False)


def _offsets(storage: LevelStorage) -> Array:
    return storage.extra[1]


OFFSET = Offset()
