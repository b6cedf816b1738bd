"""The parts level: ranges of a dimension's coordinates, so many of them; a level below stores the coordinates inside.

The ranges are equally long, or, with ``even``, have about equally many entries of the tensor: ``starts`` then has the
coordinate that each begins with, and the size of the dimension behind them (the ranges of Buluç et al. 2009 and Ye et
al. 2023). It is a relation of the iteration graph that recovers the coordinate. Append and insert: none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from heddle.counts import bincount
from heddle.formats.levels.dense import Dense
from heddle.formats.storage.level_check import Checked, LevelCheck
from heddle.formats.storage.level_storage import (
    Array,
    ArrayFacts,
    BuiltLevel,
    Contents,
    LevelArrays,
    LevelEntries,
    LevelNumber,
    Misplaced,
)

if TYPE_CHECKING:
    from heddle.formats.format import Format, Level

MAX_PARTS = 4096
_COUNTED, _FEW = 8, 1 << 16
"""Entries are counted for each coordinate unless there are so many times more coordinates than entries and these."""
USUAL = 8


class Parts(Dense):
    """``position = parent * parts + part``."""

    name = "parts"
    summary = "so many ranges of the dimension's coordinates, equally long or with equally many entries (even)"
    arrays = ("starts",)
    number: ClassVar[LevelNumber | None] = LevelNumber("parts", "number of parts", MAX_PARTS, proposed=USUAL)
    counts_parts = True
    inside_blocks = False
    pads_with_values = False
    assembled = False

    def arrays_of(self, level: Level) -> tuple[str, ...]:
        return self.arrays if level.even else ()

    def describe(self, role: str) -> ArrayFacts:
        return ArrayFacts("level", Contents.ASCENDING)

    def find_misplacement(self, format: Format, number: int) -> Misplaced | None:
        level, dimension = format.levels[number], format.order[number]
        if level.parameter is None:
            return Misplaced(number + 1, "the number of parts goes in parentheses", f"parts({USUAL})")
        pairs = list(enumerate(zip(format.levels, format.order, strict=True)))
        others = [
            (place, other_level)
            for place, (other_level, other_dimension) in pairs
            if other_dimension == dimension and place != number
        ]
        if len(others) != 1 or others[0][0] < number:
            reason = f"it cuts dimension {dimension}, and no level below it stores the coordinates inside the parts"
            return Misplaced(number + 1, reason, f"one other level of dimension {dimension}, below it")
        inner = others[0][1]
        if inner.size is not None or inner.stored is None or not inner.stored.inside_blocks:
            reason = f"the level below it that stores dimension {dimension} cannot store the coordinates inside parts"
            return Misplaced(
                number + 1, reason, "a dense, compressed, singleton, padded or bitmap level without a size"
            )
        if level.even and inner.stored.holds_every_coordinate:
            reason = "parts with equally many entries differ in length, so the coordinates inside have to be listed"
            # Kernels skip what lies past the end of a short part. Plans with such a part of a sum exist, and are right.
            return Misplaced(number + 1, reason, f"parts({level.parameter})", alone=True)
        return None

    def build(self, entries: LevelEntries) -> BuiltLevel:
        built = super().build(entries)
        if entries.starts is None:
            return built
        return BuiltLevel(
            LevelArrays(extra={"starts": entries.starts.astype(entries.index)}), built.count, built.positions
        )

    def validate(self, check: LevelCheck) -> Checked:
        if check.level.even:
            starts = check.arrays["starts"]
            check.length(f"the array starts of {check.label}", starts, check.size + 1)
            if starts[0] != 0 or starts[-1] != check.count or (np.diff(starts.astype(np.int64)) < 0).any():
                actual = f"the array starts of {check.label} does not cut {check.count} coordinates into ranges"
                check.refuse(actual, f"starts that ascend from 0 to {check.count}")
        return super().validate(check)


def starts_of(coordinates: Array, count: int, parts: int, even: bool) -> Array:
    """The coordinate that each of so many ``parts`` of ``count`` coordinates begins with, and their end: of equal
    length, or with about as many of the ``coordinates`` of entries each."""
    if not even:
        return np.minimum(np.arange(parts + 1, dtype=np.int64) * -(-count // parts), count)
    if count > _COUNTED * (coordinates.size + _FEW):
        return _starts_between(np.sort(coordinates), count, parts)
    return even_starts(np.concatenate(([0], np.cumsum(bincount(coordinates, minlength=count)))), parts)


def _starts_between(coordinates: Array, count: int, parts: int) -> Array:
    """The same of ascending coordinates that are few among ``count``: a part begins behind the entry that fills the
    one before it."""
    wanted = np.ceil(np.arange(parts, dtype=np.float64) * (coordinates.size / parts)).astype(np.int64)
    behind = np.concatenate(([0], coordinates.astype(np.int64) + 1))
    return np.append(behind[wanted], count)


def even_starts(before: Array, parts: int) -> Array:
    """The same for about as many entries each, of which ``before[i]`` lie in front of coordinate i."""
    count = before.size - 1
    wanted = np.arange(parts, dtype=np.float64) * (before[-1] / parts)
    starts = np.searchsorted(before, wanted, side="left")
    starts[0] = 0
    return np.append(np.minimum(starts, count), count)


PARTS = Parts()
