"""The bitmap level: a slot for every coordinate, and a mask that says which of them are stored.

Insert: write at the located slot and set its mask; memory and a zeroed mask come first. Append: none.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from heddle.formats.levels.dense import Dense
from heddle.formats.levels.level import Emitter, LevelStorage, Range, Stored
from heddle.formats.storage.level_check import Checked, LevelCheck
from heddle.formats.storage.level_storage import (
    ArrayFacts,
    BuiltLevel,
    Contents,
    Expanded,
    LevelArrays,
    LevelEntries,
    StoredLevel,
)
from heddle.loop_ir import build
from heddle.loop_ir.nodes import Expr


class Bitmap(Dense):
    """``position = parent * size + coordinate``, stored where ``mask[position]`` is not 0."""

    name = "bitmap"
    summary = "every coordinate of the dimension, with a mask of those that are stored"
    arrays = ("mask",)
    axis: ClassVar[str | None] = None
    full = False
    compact = False
    can_locate = False
    inside_blocks = True
    pads_with_values = False
    assembled = False

    def find(
        self,
        storage: LevelStorage,
        parents: Range,
        coordinate: Expr,
        name_hint: str,
        path: tuple[str, ...],
        emit: Emitter,
    ) -> tuple[Expr, Expr]:
        position = self.locate(storage, parents.lower, coordinate)
        return position, _load_bit(storage, position)

    def stored_conditions(self, storage: LevelStorage, position: Expr, coordinate: Expr) -> tuple[Stored, ...]:
        return (Stored(_load_bit(storage, position), above=False),)

    def describe(self, role: str) -> ArrayFacts:
        return ArrayFacts("positions", Contents.FLAGS, "uint8")

    def build(self, entries: LevelEntries) -> BuiltLevel:
        positions = entries.parent_positions * entries.size + entries.coordinates
        count = entries.parents * entries.size
        mask = np.zeros(entries.memory.require(count, "uint8", f"values of {entries.tensor} in this format"), np.uint8)
        mask[positions] = 1
        return BuiltLevel(LevelArrays(extra={"mask": mask}), count, positions)

    def expand(self, level: StoredLevel) -> Expanded:
        whole = super().expand(level)
        return Expanded(whole.coordinates, whole.parent, level.arrays.extra["mask"] != 0)

    def validate(self, check: LevelCheck) -> Checked:
        checked = super().validate(check)
        check.length(f"the mask of {check.label}", check.arrays["mask"], checked.positions)
        return checked


def _load_bit(storage: LevelStorage, position: Expr) -> Expr:
    return build.compare("!=", build.load(storage.extra[0], position), build.index(0))


BITMAP = Bitmap()
