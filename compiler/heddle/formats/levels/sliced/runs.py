"""The runs level: an optional level that knows where the rows of a block have columns that follow one another.

``first`` has an element for each slot of a block: the column of its first row where the columns of all its rows follow
one another, as on stencils and bands, else -1. There the elements of a vector are loaded contiguously, not gathered,
and ``crd``, which has every column all the same, is not read. Where a few rows have no entry on a diagonal of their
neighbours, packing stores a zero to complete the run, as DIA does. Append and insert: none.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from heddle.formats.levels.level import LevelStorage, Stored
from heddle.formats.levels.searched import crd_of
from heddle.formats.levels.sliced.optional import Optional
from heddle.formats.storage.level_check import Checked, LevelCheck
from heddle.formats.storage.level_storage import ArrayFacts, Contents
from heddle.loop_ir import build
from heddle.loop_ir.nodes import Expr, Select

NO_RUN = -1
"""What ``first`` has for a slot whose columns do not follow one another."""


class Runs(Optional):
    """``coordinate = first[slot] + inside`` in a run, else ``crd[position]``."""

    name = "runs"
    summary = "optional, and for each slot the first column of a block of rows whose columns follow one another"
    arrays = ("crd", "first")
    pads_with_values = True

    def coordinate(
        self, storage: LevelStorage, position: Expr, path: tuple[str, ...], parent: Expr | None = None
    ) -> Expr:
        assert storage.block is not None
        known = len(storage.above) == storage.number - 1
        inside = storage.above[-1] if known else build.modulo(position, build.index(storage.block))
        first = _first(storage, position)
        return Select(_is_run(first), build.add(first, inside), build.load(crd_of(storage), position, path))

    def stored_conditions(self, storage: LevelStorage, position: Expr, coordinate: Expr) -> tuple[Stored, ...]:
        held = build.either(_is_run(_first(storage, position)), build.compare("<", coordinate, storage.size))
        return (Stored(held, above=True),)

    def describe(self, role: str) -> ArrayFacts:
        return ArrayFacts("level", Contents.COORDINATES) if role == "first" else super().describe(role)

    def validate(self, check: LevelCheck) -> Checked:
        checked = super().validate(check)
        first, height = check.arrays["first"], check.sizes[2]
        check.length(f"the array first of {check.label}", first, check.crd.size // height)
        known = run_starts(check.crd.reshape(-1, height), check.size)
        wrong = np.flatnonzero((first != known) & (first != NO_RUN))
        if wrong.size:
            slot = int(wrong[0])
            check.refuse(f"first of {check.label} has {first[slot]} for slot {slot}", f"{known[slot]} or {NO_RUN}")
        return checked


def run_starts(crd: NDArray[Any], size: int) -> NDArray[Any]:
    """For each slot, a row of ``crd``, the first of its columns where they follow one another, else ``NO_RUN``.
    ``size`` stands for a position without an entry."""
    first = crd[:, 0]
    follow = first + (crd.shape[1] - 1) < size
    for inside in range(1, crd.shape[1]):
        follow &= crd[:, inside] == first + inside
    return np.where(follow, first, NO_RUN).astype(crd.dtype)


def _first(storage: LevelStorage, position: Expr) -> Expr:
    assert storage.block is not None
    slot = storage.block_position or build.floor_divide(position, build.index(storage.block))
    return build.load(storage.extra[0], slot)


def _is_run(first: Expr) -> Expr:
    return build.compare(">=", first, build.index(0))


RUNS = Runs()
