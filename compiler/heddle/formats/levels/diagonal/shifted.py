"""The shifted level: the column of a row on a diagonal, ``row + offsets[slot]``, as in DIA by blocks of rows.

It is below the rows inside a block, these below ``diagonals``. A position whose column is outside the matrix holds
nothing. Append and insert: none.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from heddle.formats.levels.diagonal.offset import inside_the_matrix
from heddle.formats.levels.level import Emitter, LevelStorage, ParentSearch, Range, Stored, TensorKind
from heddle.formats.levels.padded import width_of
from heddle.formats.storage.level_check import Checked, LevelCheck
from heddle.formats.storage.level_storage import Expanded, OrderedBy, StoredLevel
from heddle.loop_ir import build
from heddle.loop_ir.nodes import Expr, Select


class Shifted(TensorKind):
    """``position = parent``; ``width`` counts the diagonals, whose ``offsets`` (column minus row) ascend."""

    name = "shifted"
    summary = "the column of a row on a diagonal: the row plus the diagonal's offset"
    arrays = ("width", "offsets")
    branchless = True
    compact = False
    numbered_by: ClassVar[str | None] = "diagonals"
    pads_with_values = True
    ordered_by: ClassVar[OrderedBy | None] = OrderedBy.PARENTS

    def children(self, storage: LevelStorage, parents: Range) -> Range:
        return parents

    def coordinate(
        self, storage: LevelStorage, position: Expr, path: tuple[str, ...], parent: Expr | None = None
    ) -> Expr:
        assert storage.block is not None
        block = build.index(storage.block)
        if len(storage.above) == storage.number - 1:
            part, slot, inside = storage.above[-3:]
        else:
            place, width = build.floor_divide(position, block), width_of(storage)
            part, slot = build.floor_divide(place, width), build.modulo(place, width)
            inside = build.modulo(position, block)
        row = build.add(build.mul(part, block), inside)
        return build.add(build.load(storage.extra[1], slot), row)

    def parent(self, storage: LevelStorage, position: Expr) -> Expr | ParentSearch:
        return position

    def stored_conditions(self, storage: LevelStorage, position: Expr, coordinate: Expr) -> tuple[Stored, ...]:
        return inside_the_matrix(storage, coordinate)

    def lower_bound(
        self, storage: LevelStorage, parent: Expr, among: Range, coordinate: Expr, name_hint: str, emit: Emitter
    ) -> Expr:
        reached = build.compare(">=", self.coordinate(storage, parent, ()), coordinate)
        here = build.maximum(parent, among.lower)
        return build.minimum(Select(reached, here, among.upper), among.upper)

    def find(
        self,
        storage: LevelStorage,
        parents: Range,
        coordinate: Expr,
        name_hint: str,
        path: tuple[str, ...],
        emit: Emitter,
    ) -> tuple[Expr, Expr]:
        position = parents.lower
        return position, build.compare("==", self.coordinate(storage, position, path), coordinate)

    def expand(self, level: StoredLevel) -> Expanded:
        block, slot, inside = level.above[-3:]
        coordinates = block * level.block + inside + level.arrays.extra["offsets"].astype(np.int64)[slot]
        return Expanded(coordinates, held=(coordinates >= 0) & (coordinates < level.size))

    def validate(self, check: LevelCheck) -> Checked:
        width = check.width()
        check.offsets(width)
        above = int(check.above[-2].extra["width"][0])
        if width != above:
            check.refuse(f"{check.label} has {width} diagonals, level {check.number - 2} has {above}", f"{above}")
        return check.checked


SHIFTED = Shifted()
