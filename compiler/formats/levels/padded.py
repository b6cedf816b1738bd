"""The padded level: the same number of slots for every parent, as in ELL; unused slots hold the dimension's size.

That coordinate is larger than all others, so a segment stays sorted, and no padding is ever taken for an entry. Append:
write ``crd`` at the next free slot of the parent; ``width`` must be known beforehand. Insert: none.
"""

from __future__ import annotations

import numpy as np

from compiler.formats.levels.level import LevelStorage, ParentSearch, Range, Stored
from compiler.formats.levels.searched import Searched
from compiler.formats.storage.level_check import Checked, LevelCheck
from compiler.formats.storage.level_storage import (
    BuiltLevel,
    Expanded,
    LevelArrays,
    LevelEntries,
    StorageKind,
    StoredLevel,
)
from compiler.loop_ir import build
from compiler.loop_ir.nodes import Expr


class Padded(Searched, StorageKind):
    """``position = parent * width + slot``; ``width`` is an array with one element."""

    name = "padded"
    summary = "the same number of slots for each parent; unused slots hold the size of the dimension"
    arrays: tuple[str, ...] = ("width", "crd")
    branchless = False
    compact = False

    def children(self, storage: LevelStorage, parents: Range) -> Range:
        width = width_of(storage)
        return Range(build.mul(parents.lower, width), build.mul(parents.upper, width))

    def parent(self, storage: LevelStorage, position: Expr) -> Expr | ParentSearch:
        return build.floor_divide(position, width_of(storage))

    def stored(self, storage: LevelStorage, position: Expr, coordinate: Expr) -> tuple[Stored, ...]:
        return (Stored(build.compare("<", coordinate, storage.size), above=True),)

    def build(self, entries: LevelEntries) -> BuiltLevel:
        fresh = entries.distinct()
        parent, coordinates = entries.parent_positions[fresh], entries.coordinates[fresh]
        counts = np.bincount(parent, minlength=entries.parents)
        width = int(counts.max(initial=0))
        first = np.cumsum(counts) - counts
        slots = parent * width + (np.arange(parent.size) - first[parent])
        crd = np.full(entries.require_slots(entries.parents * width), entries.size, dtype=entries.index)
        crd[slots] = coordinates
        arrays = LevelArrays(crd=crd, extra={"width": np.array([width], dtype=entries.index)})
        return BuiltLevel(arrays, entries.parents * width, slots[np.cumsum(fresh) - 1])

    def expand(self, level: StoredLevel) -> Expanded:
        parent, crd = np.repeat(np.arange(level.parents), int(level.arrays.extra["width"][0])), level.crd
        return Expanded(crd, parent, crd < level.size)

    def validate(self, check: LevelCheck) -> Checked:
        width, size = check.width(), check.size
        crd = check.coordinates(check.parents * width, 0, size + 1)
        rows = crd.reshape(check.parents, width)
        rising = (np.diff(rows.astype(np.int64), axis=1) > 0) | (rows[:, 1:] == size)
        if not rising.all():
            found = f"the coordinates of a parent in crd of {check.label} are not in ascending order"
            check.refuse(found, f"them in order, then only {size}")
        return Checked(check.parents * width)


def width_of(storage: LevelStorage) -> Expr:
    """The number of slots of each parent."""
    return build.load(storage.extra[0], build.index(0))


PADDED = Padded()
