"""The ragged level: the coordinates 0, 1, 2, … of each parent, as many as it needs, each parent another number of them.

``pos`` alone says where they lie, so that a coordinate is found without a search (the variable dense axis of Ye et al.
2023). Between the first and the last entry of a parent every coordinate has a position. Append and insert: none.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from heddle.formats.levels.sliced.slots import Slots
from heddle.formats.storage.level_storage import BuiltLevel, LevelArrays, LevelEntries, OrderedBy


class Ragged(Slots):
    """``position = pos[parent] + coordinate``."""

    name = "ragged"
    summary = "the coordinates from 0 up to the last one of each parent; what is not stored in between is filled"
    numbers_slots = False
    ordered_by: ClassVar[OrderedBy | None] = OrderedBy.COORDINATES
    axis: ClassVar[str | None] = "dense_variable"
    pads_with_values = True

    def build(self, entries: LevelEntries) -> BuiltLevel:
        parent, coordinates = entries.parent_positions, entries.coordinates.astype(np.int64)
        lengths = np.zeros(entries.parents, dtype=np.int64)
        np.maximum.at(lengths, parent, coordinates + 1)
        pos = np.zeros(entries.parents + 1, dtype=np.int64)
        np.cumsum(lengths, out=pos[1:])
        count = entries.require_slots(int(pos[-1]))
        return BuiltLevel(LevelArrays(pos.astype(entries.index)), count, pos[parent] + coordinates)


RAGGED = Ragged()
