"""The optional level: one position for each parent position, which holds one coordinate or none, as in sliced ELL.

A position that holds none has the size of the dimension for a coordinate: larger than all others. Append and insert:
none.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from heddle.counts import repeat
from heddle.formats.levels.level import LevelStorage, ParentSearch, Range, Stored, TensorKind
from heddle.formats.levels.searched import Searched
from heddle.formats.storage.level_check import Checked, LevelCheck
from heddle.formats.storage.level_storage import Array, Expanded, OrderedBy, StoredLevel
from heddle.loop_ir import build
from heddle.loop_ir.nodes import Expr


class Optional(Searched, TensorKind):
    """``position = parent``."""

    name = "optional"
    summary = "one place for each parent position, which holds one coordinate or none"
    arrays: ClassVar[tuple[str, ...]] = ("crd",)
    branchless = True
    compact = False
    numbered_by: ClassVar[str | None] = "slots"
    ordered_by: ClassVar[OrderedBy | None] = OrderedBy.PARENTS

    def children(self, storage: LevelStorage, parents: Range) -> Range:
        return parents

    def parent(self, storage: LevelStorage, position: Expr) -> Expr | ParentSearch:
        return position

    def stored_conditions(self, storage: LevelStorage, position: Expr, coordinate: Expr) -> tuple[Stored, ...]:
        return (Stored(build.compare("<", coordinate, storage.size), above=True),)

    def expand(self, level: StoredLevel) -> Expanded:
        crd = level.crd
        return Expanded(crd, held=crd < level.size)

    def validate(self, check: LevelCheck) -> Checked:
        _each_once(check, check.coordinates(check.parents, 0, check.size + 1))
        return check.checked


def _each_once(check: LevelCheck, crd: Array) -> None:
    """No row of sliced ELL holds a column in two slots."""
    pos, height, size = check.above[1].pos, check.sizes[2], check.size
    assert pos is not None
    block = repeat(np.arange(pos.size - 1), np.diff(pos) * height)
    row = block * height + np.arange(crd.size) % height
    held = np.flatnonzero(crd < size)
    key = np.sort(row[held] * max(size, 1) + crd[held])
    if (key[1:] == key[:-1]).any():
        row_twice, twice = divmod(int(key[1:][key[1:] == key[:-1]][0]), size)
        check.refuse(f"{check.label} holds the coordinate {twice} twice in row {row_twice}", "each coordinate once")


OPTIONAL = Optional()
