"""The diagonals level: one slot for each stored diagonal of a matrix, the same ones for every parent.

It only counts them; the ``shifted`` level below says which column a row has on each. Append and insert: none.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from heddle.counts import repeat
from heddle.formats.levels.level import LevelStorage, ParentSearch, Range, TensorKind
from heddle.formats.levels.numbered import Numbered
from heddle.formats.levels.padded import width_of
from heddle.formats.storage.level_check import Checked, LevelCheck
from heddle.formats.storage.level_storage import Expanded, OrderedBy, StoredLevel
from heddle.loop_ir import build
from heddle.loop_ir.nodes import Expr


class Diagonals(Numbered, TensorKind):
    """``position = parent * width + slot``; the coordinate is the number of the slot."""

    name = "diagonals"
    summary = "one slot for each stored diagonal, the same for every parent; a shifted level below has the columns"
    numbers_slots = True
    ordered_by: ClassVar[OrderedBy | None] = OrderedBy.DIAGONALS
    arrays = ("width",)

    def children(self, storage: LevelStorage, parents: Range) -> Range:
        width = width_of(storage)
        return Range(build.mul(parents.lower, width), build.mul(parents.upper, width))

    def coordinate(
        self, storage: LevelStorage, position: Expr, path: tuple[str, ...], parent: Expr | None = None
    ) -> Expr:
        if parent is None:
            return build.modulo(position, width_of(storage))
        return build.sub(position, self.first(storage, parent))

    def parent(self, storage: LevelStorage, position: Expr) -> Expr | ParentSearch:
        return build.floor_divide(position, width_of(storage))

    def first(self, storage: LevelStorage, parent: Expr) -> Expr:
        return build.mul(parent, width_of(storage))

    def expand(self, level: StoredLevel) -> Expanded:
        width = int(level.arrays.extra["width"][0])
        return Expanded(np.tile(np.arange(width), level.parents), repeat(np.arange(level.parents), width))

    def validate(self, check: LevelCheck) -> Checked:
        return Checked(check.parents * check.width())


DIAGONALS = Diagonals()
