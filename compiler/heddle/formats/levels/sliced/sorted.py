"""The sorted level: blocks of positions for the rows of a matrix, by their number of entries (Kreutzer et al. 2014).

``rows[place]`` is the row at a position, each row once, so that the rows of a slice have similar lengths. It is a
relation of the iteration graph that recovers the row from the position. Append and insert: none.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from heddle.formats.levels.dense import Dense
from heddle.formats.storage.level_check import Checked, LevelCheck
from heddle.formats.storage.level_storage import (
    Array,
    ArrayFacts,
    Contents,
    LevelArrays,
    LevelNumber,
    Misplaced,
    OrderedBy,
)

if TYPE_CHECKING:
    from heddle.formats.format import Format

MAX_WINDOW = 1_048_576
"""Rows that are sorted together."""


class Sorted(Dense):
    """The coordinate is the number of a block of positions; ``rows`` has an element for each row of the matrix."""

    name = "sorted"
    arrays = ("rows",)
    summary = (
        "blocks of places for rows, which are sorted by their number of entries within windows of this many; "
        "rows has the row at each place"
    )
    inside_blocks = False
    ordered_by: ClassVar[OrderedBy | None] = None
    axis: ClassVar[str | None] = None
    number: ClassVar[LevelNumber | None] = LevelNumber("window", "window of rows", MAX_WINDOW, proposed=8)
    permutes = True
    assembled = False

    def find_misplacement(self, format: Format, number: int) -> Misplaced | None:
        level, kinds = format.levels[number], [level.kind for level in format.levels[1:3]]
        height = format.levels[2].size if number == 0 and kinds == ["slots", "dense"] else None
        if height is None:
            return Misplaced(number + 1, "it sorts the rows of sliced ELL", "sorted(64), slots, dense(8), optional")
        if level.parameter is not None and level.parameter % height == 0:
            return None
        slices = max(1, round((level.parameter or 0) / height))
        return Misplaced(
            number + 1,
            f"rows are sorted within windows of whole slices, and a slice has {height} rows",
            f"sorted(n), where n is a multiple of {height}",
            replace(level, parameter=slices * height),
        )

    def describe(self, role: str) -> ArrayFacts:
        return ArrayFacts("places", Contents.COORDINATES)

    def original(self, coordinates: Array, arrays: LevelArrays, count: int) -> Array:
        rows = arrays.extra["rows"].astype(np.int64)
        behind = np.arange(rows.size, count)  # there is no row at the positions after the last one
        return np.concatenate((rows, behind))[coordinates]

    def validate(self, check: LevelCheck) -> Checked:
        rows = check.arrays["rows"]
        check.length(f"the array rows of {check.label}", rows, check.count)
        if not (np.sort(rows) == np.arange(check.count)).all():
            check.refuse(f"the array rows of {check.label} is missing a row", f"each of 0 to {check.count - 1} once")
        return super().validate(check)


SORTED = Sorted()
