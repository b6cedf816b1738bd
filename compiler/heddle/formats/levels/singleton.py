"""The singleton level: one coordinate for each parent position, so that positions are the parent's (Chou et al. 2018).

Below a level whose coordinates repeat it makes COO: parallel arrays of coordinates. Append: write ``crd`` at the
parent's position. Insert: none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from heddle.counts import bincount
from heddle.diagnostics import Diagnostic, Location, OperandError, Part
from heddle.formats.levels.level import LevelStorage, ParentSearch, Range, TensorKind
from heddle.formats.levels.searched import Searched
from heddle.formats.storage.level_check import Checked, LevelCheck
from heddle.formats.storage.level_storage import (
    Array,
    BuiltLevel,
    Expanded,
    LevelArrays,
    LevelEntries,
    Misplaced,
    OrderedBy,
    StoredLevel,
    Take,
)
from heddle.loop_ir.nodes import Expr

if TYPE_CHECKING:
    from heddle.formats.format import Format


class Singleton(Searched, TensorKind):
    """``position = parent``."""

    name = "singleton"
    summary = "one coordinate for each parent position"
    arrays = ("crd",)
    branchless = True
    lists_coordinates = True
    inside_blocks = True
    assembled = True
    ordered_by: ClassVar[OrderedBy | None] = OrderedBy.COORDINATES
    axis: ClassVar[str | None] = "sparse_fixed"

    def children(self, storage: LevelStorage, parents: Range) -> Range:
        return parents

    def parent(self, storage: LevelStorage, position: Expr) -> Expr | ParentSearch:
        return position

    def find_misplacement(self, format: Format, number: int) -> Misplaced | None:
        if number > 0:
            return None
        reason = "a singleton level holds one coordinate for each parent position, and there is no level above it"
        return Misplaced(number + 1, reason, "a level above it")

    def build(self, entries: LevelEntries) -> BuiltLevel:
        coordinates = entries.coordinates
        if entries.parent is not None:
            coordinates = _order_by_parent(entries, entries.parent)
        crd = np.ascontiguousarray(coordinates, dtype=entries.index)
        return BuiltLevel(LevelArrays(crd=crd), entries.parents, entries.parent)

    def expand(self, level: StoredLevel) -> Expanded:
        return Expanded(level.crd)

    def validate(self, check: LevelCheck) -> Checked:
        check.coordinates(check.parents, 0, check.size)
        return check.in_order(check.checked.same)

    def allocate(self, number: int, parents: int, size: int, take: Take) -> tuple[LevelArrays, int]:
        return LevelArrays(None, take(("crd", number), parents)), parents


def _order_by_parent(entries: LevelEntries, parent: Array) -> Array:
    """The coordinate of each parent position, of which every one must have exactly one."""
    coordinates = np.full(entries.parents, -1, dtype=np.int64)
    coordinates[parent] = entries.coordinates
    counts = bincount(parent, minlength=entries.parents)
    if not ((coordinates[parent] == entries.coordinates).all() and counts.all()):
        wrong = int(np.flatnonzero(counts == 0)[0]) if not counts.all() else None
        raise OperandError(
            Diagnostic(
                code="runtime/not-singleton",
                message=f"Level {entries.number} of {entries.tensor} is singleton, so each position above it has "
                "exactly one coordinate, but "
                + (f"position {wrong} has none." if wrong is not None else "one has several."),
                location=Location(Part.INPUT, tensor=entries.tensor),
                expected="one coordinate for each parent position",
                actual="none" if wrong is not None else "several",
                hint="Use a compressed level instead.",
            )
        )
    return coordinates


SINGLETON = Singleton()
