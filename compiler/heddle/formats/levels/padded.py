"""The padded level: the same number of slots for every parent, as in ELL; unused slots hold the dimension's size.

That coordinate is larger than all others, so a segment stays sorted, and no padding is ever taken for an entry. The
number is that of the longest segment, or stands in parentheses, so that loops over the slots have a known length. Below
a level whose coordinates repeat the entries of a coordinate are cut into pieces of so many slots (the buckets of Ye et
al. 2023); there unused slots lie between entries, too. Append: write ``crd`` at the next free slot of the parent;
``width`` must be known beforehand. Insert: none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from heddle.advice import AllowSlots
from heddle.counts import bincount, repeat
from heddle.diagnostics import Diagnostic, Location, OperandError, Part
from heddle.formats.levels.level import LevelStorage, ParentSearch, Range, Stored, TensorKind
from heddle.formats.levels.searched import Searched
from heddle.formats.storage.level_check import Checked, LevelCheck
from heddle.formats.storage.level_storage import (
    BuiltLevel,
    Expanded,
    LevelArrays,
    LevelEntries,
    LevelNumber,
    Misplaced,
    OrderedBy,
    StoredLevel,
)
from heddle.loop_ir import build
from heddle.loop_ir.nodes import Expr

if TYPE_CHECKING:
    from heddle.formats.format import Format

USUAL = 4
MAX_SLOTS = 4096
"""Of a parent, where their number stands in the format."""


class Padded(Searched, TensorKind):
    """``position = parent * width + slot``; ``width`` is an array with one element."""

    name = "padded"
    summary = "the same number of slots for each parent; unused slots hold the size of the dimension"
    arrays = ("width", "crd")
    compact = False
    cuts_repeated = True
    inside_blocks = True
    ordered_by: ClassVar[OrderedBy | None] = OrderedBy.SLOTS
    axis: ClassVar[str | None] = "sparse_fixed"
    number: ClassVar[LevelNumber | None] = LevelNumber("slot", "number of slots", MAX_SLOTS, proposed=USUAL)

    def children(self, storage: LevelStorage, parents: Range) -> Range:
        width = width_of(storage)
        return Range(build.mul(parents.lower, width), build.mul(parents.upper, width))

    def parent(self, storage: LevelStorage, position: Expr) -> Expr | ParentSearch:
        return build.floor_divide(position, width_of(storage))

    def stored_conditions(self, storage: LevelStorage, position: Expr, coordinate: Expr) -> tuple[Stored, ...]:
        return (Stored(build.compare("<", coordinate, storage.size), above=not storage.below_repeats),)

    def find_misplacement(self, format: Format, number: int) -> Misplaced | None:
        if number == 0 or format.levels[number - 1].unique or format.levels[number].parameter is not None:
            return None
        reason = "how many slots each piece of the repeated coordinates above has stands in parentheses"
        return Misplaced(number + 1, reason, f"padded({USUAL})")

    def build(self, entries: LevelEntries) -> BuiltLevel:
        fresh = entries.distinct()
        parent, coordinates = entries.parent_positions[fresh], entries.coordinates[fresh]
        counts = bincount(parent, minlength=entries.parents)
        width = entries.level.parameter
        if width is None:
            width = int(counts.max(initial=0))
        elif counts.size and counts.max() > width:
            raise _too_narrow(entries, int(counts.argmax()), int(counts.max()), width)
        first = np.cumsum(counts) - counts
        slots = parent * width + (np.arange(parent.size) - first[parent])
        crd = np.full(entries.require_slots(entries.parents * width), entries.size, dtype=entries.index)
        crd[slots] = coordinates
        arrays = LevelArrays(crd=crd, extra={"width": np.array([width], dtype=entries.index)})
        return BuiltLevel(arrays, entries.parents * width, slots[np.cumsum(fresh) - 1])

    def expand(self, level: StoredLevel) -> Expanded:
        parent, crd = repeat(np.arange(level.parents), int(level.arrays.extra["width"][0])), level.crd
        return Expanded(crd, parent, crd < level.size)

    def validate(self, check: LevelCheck) -> Checked:
        width, size, stated = check.width(), check.size, check.level.parameter
        if stated is not None and width != stated:
            check.refuse(f"the width of {check.label} is {width}", f"{stated}, as its format says")
        crd = check.coordinates(check.parents * width, 0, size + 1)
        rows = crd.reshape(check.parents, width)
        rising = (np.diff(rows.astype(np.int64), axis=1) > 0) | (rows[:, 1:] == size)
        if not rising.all():
            actual = f"the coordinates of a parent in crd of {check.label} are not in ascending order"
            check.refuse(actual, f"them in order, then only {size}")
        return Checked(check.parents * width)


def width_of(storage: LevelStorage) -> Expr:
    """The number of slots of each parent."""
    if storage.parameter is not None:
        return build.index(storage.parameter)
    return build.load(storage.extra[0], build.index(0))


def _too_narrow(entries: LevelEntries, parent: int, count: int, width: int) -> OperandError:
    where = f"position {parent} of level {entries.number - 1}" if entries.number > 1 else entries.tensor
    slots = "1 slot" if width == 1 else f"{width} slots"
    return OperandError(
        Diagnostic(
            code="runtime/too-narrow",
            message=f"Level {entries.number} of {entries.tensor} has {slots} for each coordinate above it, but below "
            f"{where} there are {count} coordinates. Allow for {count}, or store {entries.tensor} in pieces.",
            location=Location(Part.INPUT, tensor=entries.tensor),
            expected=f"at most {width}",
            actual=f"{count}",
            hint=f"padded without a number takes as many slots as the longest needs; pieces({width}) cuts what is "
            "longer into pieces.",
            advice=(AllowSlots(entries.number, count),),
        )
    )


PADDED = Padded()
