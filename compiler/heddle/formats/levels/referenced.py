"""Levels that share coordinates and values with other orders of the same entries: ``coo-perm`` (Phipps and Kolda 2019).

Entries are stored once, by coordinates, in one order for all. A dense level above gives each row a segment of *places*,
and ``perm`` says which entry stands at a place. Loops run over places; coordinates and values are read at
``perm[place]``. The level below the dense one is ``referenced`` and has the segments, those below it are ``relayed``.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from heddle.counts import repeat
from heddle.formats.levels.level import LevelStorage, ParentSearch, Range, TensorKind
from heddle.formats.levels.searched import Searched, crd_of
from heddle.formats.storage.level_check import Checked, LevelCheck
from heddle.formats.storage.level_storage import (
    ARRAYS,
    ArrayFacts,
    Contents,
    Expanded,
    Misplaced,
    StoredLevel,
)
from heddle.loop_ir import build
from heddle.loop_ir.nodes import Array, Expr

if TYPE_CHECKING:
    from heddle.formats.format import Format

_TOGETHER = "dense, referenced(unordered,nonunique), relayed(unordered)"


class _Shared(Searched, TensorKind):
    """The coordinate at a place is that of the entry which ``perm`` names."""

    lists_coordinates = True
    value_places: ClassVar[str | None] = "perm"

    def coordinate(
        self, storage: LevelStorage, position: Expr, path: tuple[str, ...], parent: Expr | None = None
    ) -> Expr:
        return build.load(crd_of(storage), build.load(storage.extra[0], position, path), path)

    def describe(self, role: str) -> ArrayFacts:
        return ArrayFacts("positions", Contents.PLACES) if role == "perm" else ARRAYS[role]

    def find_misplacement(self, format: Format, number: int) -> Misplaced | None:
        level, last = format.levels[number], number == len(format.levels) - 1
        kinds = [level.kind for level in format.levels]
        together = ["dense", "referenced", *["relayed"] * (len(kinds) - 2)]
        if kinds != together or format.blocks:
            reason = "referenced and relayed levels store all dimensions but the first together, below a dense level"
            return Misplaced(number + 1, reason, _TOGETHER)
        if level.ordered or level.unique is not last:
            reason = "its coordinates come in the order of another dimension, and repeat but for the last level"
            wanted = replace(level, ordered=False, unique=last)
            return Misplaced(number + 1, reason, _TOGETHER, wanted)
        return None


class Referenced(_Shared):
    """Places in segments ``pos[p] … pos[p + 1]``, and the entry at each."""

    name = "referenced"
    summary = "of each parent a segment of places, with the number of the entry at each in perm; entries are shared"
    arrays = ("pos", "perm", "crd")

    def children(self, storage: LevelStorage, parents: Range) -> Range:
        pos, zero = _pos(storage), build.index(0)
        lower = zero if parents.lower == zero else build.load(pos, parents.lower)
        return Range(lower, build.load(pos, parents.upper))

    def parent(self, storage: LevelStorage, position: Expr) -> Expr | ParentSearch:
        return ParentSearch(_pos(storage))

    def expand(self, level: StoredLevel) -> Expanded:
        pos, perm = level.arrays.pos, level.arrays.extra["perm"]
        assert pos is not None
        rows = np.empty(perm.size, np.int64)
        rows[perm] = repeat(np.arange(level.parents), np.diff(pos))
        return Expanded(level.crd, rows)

    def validate(self, check: LevelCheck) -> Checked:
        check.segments()
        count = int(check.arrays["pos"][-1])
        _permutation(check, count)
        check.coordinates(count, 0, check.size)
        return Checked(count)


class Relayed(_Shared):
    """The same places: one coordinate for each."""

    name = "relayed"
    summary = "one coordinate for each place of the level above, of the entry that perm names; entries are shared"
    arrays = ("perm", "crd")
    branchless = True

    def children(self, storage: LevelStorage, parents: Range) -> Range:
        return parents

    def parent(self, storage: LevelStorage, position: Expr) -> Expr | ParentSearch:
        return position

    def expand(self, level: StoredLevel) -> Expanded:
        return Expanded(level.crd)

    def validate(self, check: LevelCheck) -> Checked:
        above = check.above[-1].extra["perm"]
        if not (check.arrays["perm"].shape == above.shape and (check.arrays["perm"] == above).all()):
            check.refuse(f"perm of {check.label} is another than above", "the same entries at the same places")
        check.coordinates(check.parents, 0, check.size)
        return Checked(check.parents)


def _permutation(check: LevelCheck, count: int) -> None:
    perm = check.arrays["perm"]
    check.length(f"perm of {check.label}", perm, count)
    seen = np.zeros(count, dtype=bool)
    inside = perm[(perm >= 0) & (perm < count)]
    seen[inside] = True
    if not seen.all():
        check.refuse(f"perm of {check.label} leaves out entry {int(np.flatnonzero(~seen)[0])}", "each entry once")


def _pos(storage: LevelStorage) -> Array:
    assert storage.pos is not None
    return storage.pos


REFERENCED, RELAYED = Referenced(), Relayed()
