"""The hashed level: one hash table for each parent, all of the same width; a free slot holds -1 (open addressing).

The probing of a coordinate starts at its remainder by the width and goes on to the next slot, around the end. Every
table has a free slot, so that probing ends. Insert: probe, write ``crd``; a table that is full must grow. Append: none.
"""

from __future__ import annotations

import numpy as np

from heddle.counts import bincount, repeat
from heddle.formats.levels.level import Emitter, LevelStorage, ParentSearch, Range, Stored, TensorKind
from heddle.formats.levels.padded import width_of
from heddle.formats.levels.searched import Searched, crd_of
from heddle.formats.storage.level_check import Checked, LevelCheck
from heddle.formats.storage.level_storage import (
    Array,
    BuiltLevel,
    Expanded,
    LevelArrays,
    LevelEntries,
    StoredLevel,
)
from heddle.loop_ir import build
from heddle.loop_ir.nodes import Expr


class Hashed(Searched, TensorKind):
    """``position = parent * width + slot``; the coordinates are in no order, so that they are only looked up."""

    name = "hashed"
    summary = "a hash table of the stored coordinates for each parent"
    arrays = ("width", "crd")
    compact = False
    iterated = False

    def children(self, storage: LevelStorage, parents: Range) -> Range:
        width = width_of(storage)
        return Range(build.mul(parents.lower, width), build.mul(parents.upper, width))

    def parent(self, storage: LevelStorage, position: Expr) -> Expr | ParentSearch:
        return build.floor_divide(position, width_of(storage))

    def stored_conditions(self, storage: LevelStorage, position: Expr, coordinate: Expr) -> tuple[Stored, ...]:
        return (Stored(build.compare(">=", coordinate, build.index(0)), above=False),)

    def find(
        self,
        storage: LevelStorage,
        parents: Range,
        coordinate: Expr,
        name_hint: str,
        path: tuple[str, ...],
        emit: Emitter,
    ) -> tuple[Expr, Expr]:
        table = self.children(storage, Range(parents.lower, build.add(parents.lower, build.index(1))))
        first = build.add(table.lower, build.modulo(coordinate, width_of(storage)))
        position = emit.probe(name_hint, storage, table, first, coordinate)
        return position, build.compare("==", build.load(crd_of(storage), position), coordinate)

    def build(self, entries: LevelEntries) -> BuiltLevel:
        """Tables that are at most half full."""
        fresh = entries.distinct()
        parent, coordinates = entries.parent_positions[fresh], entries.coordinates[fresh]
        counts = bincount(parent, minlength=entries.parents)
        width = 1 << (2 * int(counts.max(initial=0)) - 1).bit_length() if counts.any() else 1
        crd = np.full(entries.require_slots(entries.parents * width), -1, dtype=entries.index)
        positions = _probe(parent, coordinates, width, crd)[np.cumsum(fresh) - 1]
        by_slot = np.argsort(positions, kind="stable")  # the levels below follow the slots, not the coordinates
        arrays = LevelArrays(crd=crd, extra={"width": np.array([width], dtype=entries.index)})
        return BuiltLevel(arrays, entries.parents * width, positions[by_slot], by_slot)

    def expand(self, level: StoredLevel) -> Expanded:
        parent, crd = repeat(np.arange(level.parents), int(level.arrays.extra["width"][0])), level.crd
        return Expanded(crd, parent, crd >= 0)

    def validate(self, check: LevelCheck) -> Checked:
        width, label = check.width(), check.label
        crd = check.coordinates(check.parents * width, -1, check.size)
        slots = np.flatnonzero(crd >= 0)
        parent, slot, coordinate = slots // max(width, 1), slots % max(width, 1), crd[slots].astype(np.int64)
        order = np.lexsort((coordinate, parent))
        if ((np.diff(parent[order]) == 0) & (np.diff(coordinate[order]) == 0)).any():
            check.refuse(f"a table of {label} holds a coordinate twice", "each coordinate once")
        held = bincount(parent, minlength=check.parents)
        if (held[held == width] < check.size).any() or (width == 0 and check.parents > 0 and check.size > 0):
            check.refuse(f"a table of {label} has no free slot, where a search would end", "a free slot (-1)")
        free = np.zeros((check.parents, 2 * width + 1), dtype=np.int64)
        free[:, 1:] = np.cumsum(np.tile(crd.reshape(check.parents, width) < 0, 2), axis=1)
        home = coordinate % max(width, 1)
        end = np.where(slot >= home, slot, slot + width)
        if (free[parent, end] != free[parent, home]).any():
            check.refuse(
                f"a table of {label} holds a coordinate after a free slot, where no search finds it",
                "every coordinate at its remainder by the width, or in the slots that follow without a gap",
            )
        return Checked(check.parents * width)


def _probe(parent: Array, coordinates: Array, width: int, crd: Array) -> Array:
    """Puts every coordinate into the table of its parent in ``crd``; the answer is its slot.

    All probe together: in each round the first that reaches a free slot takes it.
    """
    positions = np.zeros(parent.size, dtype=np.int64)
    base, start = parent * width, coordinates.astype(np.int64) % width
    pending = np.arange(parent.size)
    step = 0
    while pending.size:
        target = base[pending] + (start[pending] + step) % width
        free = np.flatnonzero(crd[target] < 0)
        slots, first = np.unique(target[free], return_index=True)
        winners = free[first]
        crd[slots] = coordinates[pending[winners]]
        positions[pending[winners]] = slots
        pending = np.delete(pending, winners)
        step += 1
    return positions


HASHED = Hashed()
