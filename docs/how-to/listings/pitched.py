"""The pitched level: every coordinate is stored, and unused positions fill each parent up to a multiple of 8."""

from __future__ import annotations

import numpy as np

from heddle.counts import repeat
from heddle.formats.levels.dense import Dense
from heddle.formats.levels.level import LevelStorage, ParentSearch, Range, Stored
from heddle.formats.storage.level_check import Checked, LevelCheck
from heddle.formats.storage.level_storage import BuiltLevel, Expanded, LevelArrays, LevelEntries, StoredLevel, Take
from heddle.loop_ir import build
from heddle.loop_ir.nodes import Expr

PITCH = 8


class Pitched(Dense):
    """``position = parent * pitch + coordinate``."""

    name = "pitched"
    summary = "every coordinate of the dimension, filled up to a multiple of 8 positions"
    compact = False
    inside_blocks = False

    def locate(self, storage: LevelStorage, parent: Expr, coordinate: Expr) -> Expr:
        return build.add(build.mul(parent, _pitch_of(storage)), coordinate)

    def children(self, storage: LevelStorage, parents: Range) -> Range:
        pitch = _pitch_of(storage)
        return Range(build.mul(parents.lower, pitch), build.mul(parents.upper, pitch))

    def coordinate(
        self, storage: LevelStorage, position: Expr, path: tuple[str, ...], parent: Expr | None = None
    ) -> Expr:
        return build.modulo(position, _pitch_of(storage))

    def parent(self, storage: LevelStorage, position: Expr) -> Expr | ParentSearch:
        return build.floor_divide(position, _pitch_of(storage))

    def stored_conditions(self, storage: LevelStorage, position: Expr, coordinate: Expr) -> tuple[Stored, ...]:
        return (Stored(build.compare("<", coordinate, storage.size), above=True),)

    def build(self, entries: LevelEntries) -> BuiltLevel:
        pitch = _round_up(entries.size)
        positions = entries.parent_positions * pitch + entries.coordinates
        if entries.parents == 1:
            positions = entries.coordinates.astype(np.int64)
        return BuiltLevel(LevelArrays(), entries.parents * pitch, positions)

    def expand(self, level: StoredLevel) -> Expanded:
        pitch = _round_up(level.size)
        coordinates = np.tile(np.arange(pitch, dtype=np.int64), level.parents)
        return Expanded(coordinates, repeat(np.arange(level.parents), pitch), coordinates < level.size)

    def validate(self, check: LevelCheck) -> Checked:
        return Checked(check.parents * _round_up(check.size))

    def allocate(self, number: int, parents: int, size: int, take: Take) -> tuple[LevelArrays, int]:
        return LevelArrays(), parents * _round_up(size)


def _round_up(size: int) -> int:
    return -(-size // PITCH) * PITCH


def _pitch_of(storage: LevelStorage) -> Expr:
    """The positions of each parent, in loops."""
    whole = build.floor_divide(build.add(storage.size, build.index(PITCH - 1)), build.index(PITCH))
    return build.mul(whole, build.index(PITCH))


PITCHED = Pitched()
