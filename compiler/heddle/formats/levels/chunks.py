"""The chunks level: the stored coordinates of each parent, filled up to whole chunks of so many positions each.

``pos`` and ``crd`` are those of a compressed level, except that unused positions at the end of a segment hold the
dimension's size, which lies behind all others. So a segment is read in steps of one chunk without a rest (SR-BCRS of Li
et al. 2022 has such groups of blocks). Append and insert: none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from heddle.counts import bincount, repeat
from heddle.formats.levels.compressed import Compressed
from heddle.formats.levels.level import LevelStorage, Stored
from heddle.formats.storage.level_check import Checked, LevelCheck
from heddle.formats.storage.level_storage import (
    BuiltLevel,
    Expanded,
    LevelArrays,
    LevelEntries,
    LevelNumber,
    Misplaced,
    StoredLevel,
)
from heddle.loop_ir import build
from heddle.loop_ir.nodes import Expr

if TYPE_CHECKING:
    from heddle.formats.format import Format, Level

USUAL = 4
MAX_CHUNK = 1024
"""Positions of a chunk."""


class Chunks(Compressed):
    """``pos[parent + 1] - pos[parent]`` is a multiple of the size of a chunk."""

    name = "chunks"
    summary = "the stored coordinates of each parent, padded to whole chunks of this many; unused slots hold the size"
    compact = False
    lists_coordinates = False
    assembled = False
    inside_blocks = False
    counts_below = True
    number: ClassVar[LevelNumber | None] = LevelNumber("chunk", "size of a chunk", MAX_CHUNK, proposed=USUAL)

    def stored_conditions(self, storage: LevelStorage, position: Expr, coordinate: Expr) -> tuple[Stored, ...]:
        return (Stored(build.compare("<", coordinate, storage.size), above=True),)

    def find_misplacement(self, format: Format, number: int) -> Misplaced | None:
        if format.levels[number].parameter is not None:
            return None
        expected = f"chunks({USUAL})"
        return Misplaced(number + 1, "the number of positions in a chunk goes in parentheses", expected)

    def positions_for_entry(self, level: Level) -> int:
        assert level.parameter is not None
        return level.parameter

    def build(self, entries: LevelEntries) -> BuiltLevel:
        fresh, chunk = entries.distinct(), entries.level.parameter
        assert chunk is not None
        parent = entries.parent_positions[fresh]
        counts = bincount(parent, minlength=entries.parents)
        pos = np.zeros(entries.parents + 1, dtype=np.int64)
        np.cumsum(-(-counts // chunk) * chunk, out=pos[1:])
        first = np.cumsum(counts) - counts
        positions = pos[parent] + (np.arange(parent.size) - first[parent])
        crd = np.full(entries.require_slots(int(pos[-1])), entries.size, dtype=entries.index)
        crd[positions] = entries.coordinates[fresh]
        arrays = LevelArrays(pos.astype(entries.index), crd)
        return BuiltLevel(arrays, int(pos[-1]), positions[np.cumsum(fresh) - 1])

    def expand(self, level: StoredLevel) -> Expanded:
        filled = super().expand(level)
        return Expanded(filled.coordinates, filled.parent, filled.coordinates < level.size)

    def validate(self, check: LevelCheck) -> Checked:
        steps, size, chunk = check.segments(), check.size, check.level.parameter
        assert chunk is not None
        if (steps % chunk).any():
            parent = int(np.flatnonzero(steps % chunk)[0])
            actual = f"parent {parent} of {check.label} has {steps[parent]} positions"
            check.refuse(actual, f"whole chunks of {chunk}")
        crd = check.coordinates(int(check.arrays["pos"][-1]), 0, size + 1)
        segment = repeat(np.arange(steps.size), steps)
        rising = (np.diff(crd.astype(np.int64)) > 0) | (crd[1:] == size) | (np.diff(segment) > 0)
        if not rising.all():
            actual = f"the coordinates of a parent in crd of {check.label} are not in ascending order"
            check.refuse(actual, f"them in order, then only {size}")
        return Checked(int(crd.size))


CHUNKS = Chunks()
