"""The slots level: how many slots each parent has, as a segment between two entries of ``pos``, and nothing else.

It stores no coordinates of its own: what is in a slot is said by the level below that stores the same dimension. Sliced
ELL has one above the rows of a slice, so that one slot of all these rows is contiguous (Monakov et al. 2010). Append
and insert: none.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from heddle.counts import repeat
from heddle.formats.levels.level import LevelStorage, ParentSearch, Range, TensorKind
from heddle.formats.levels.numbered import Numbered
from heddle.formats.storage.level_check import Checked, LevelCheck
from heddle.formats.storage.level_storage import Expanded, OrderedBy, StoredLevel
from heddle.loop_ir import build
from heddle.loop_ir.nodes import Array, Expr


class Slots(Numbered, TensorKind):
    """The coordinate is the number of the slot, ``position - pos[parent]``."""

    name = "slots"
    summary = "how many slots each parent has; the level below of the same dimension says what they hold"
    numbers_slots = True
    ordered_by: ClassVar[OrderedBy | None] = OrderedBy.SLOTS
    arrays = ("pos",)

    def children(self, storage: LevelStorage, parents: Range) -> Range:
        return Range(build.load(_pos(storage), parents.lower), build.load(_pos(storage), parents.upper))

    def coordinate(
        self, storage: LevelStorage, position: Expr, path: tuple[str, ...], parent: Expr | None = None
    ) -> Expr:
        assert parent is not None, "slots are counted from the first one of their parent"
        return build.sub(position, self.first(storage, parent))

    def parent(self, storage: LevelStorage, position: Expr) -> Expr | ParentSearch:
        return ParentSearch(_pos(storage))

    def first(self, storage: LevelStorage, parent: Expr) -> Expr:
        return build.load(_pos(storage), parent)

    def expand(self, level: StoredLevel) -> Expanded:
        pos = level.arrays.pos
        assert pos is not None
        counts = np.diff(pos)
        parent = repeat(np.arange(level.parents), counts)
        return Expanded(np.arange(parent.size) - repeat(pos[:-1].astype(np.int64), counts), parent)

    def validate(self, check: LevelCheck) -> Checked:
        check.segments()
        return Checked(int(check.arrays["pos"][-1]))


def _pos(storage: LevelStorage) -> Array:
    assert storage.pos is not None
    return storage.pos


SLOTS = Slots()
