"""The runs level: an optional level that knows where the rows of a block have columns that follow one another.

``first`` has an element for each slot of a block: the column of its first row where the columns of all its rows follow
one another, as on stencils and bands, else -1. There the elements of a vector are loaded side by side, not gathered,
and ``crd``, which has every column all the same, is not read. Where a few rows have no entry on a diagonal of their
neighbours, packing stores a zero to complete the run, as DIA does. Append and insert: none.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from compiler.formats.levels.level import LevelStorage, Stored
from compiler.formats.levels.optional import Optional
from compiler.formats.levels.searched import crd_of
from compiler.loop_ir import build
from compiler.loop_ir.nodes import Expr, Select

NO_RUN = -1
"""What ``first`` has for a slot whose columns do not follow one another."""


class Runs(Optional):
    """``coordinate = first[slot] + inside`` in a run, else ``crd[position]``."""

    name = "runs"
    arrays: tuple[str, ...] = ("crd", "first")

    def coordinate(
        self, storage: LevelStorage, position: Expr, path: tuple[str, ...], parent: Expr | None = None
    ) -> Expr:
        assert storage.block is not None
        known = len(storage.above) == storage.number - 1
        inside = storage.above[-1] if known else build.modulo(position, build.index(storage.block))
        first = _first(storage, position)
        return Select(_is_run(first), build.add(first, inside), build.load(crd_of(storage), position, path))

    def stored(self, storage: LevelStorage, position: Expr, coordinate: Expr) -> tuple[Stored, ...]:
        held = build.either(_is_run(_first(storage, position)), build.compare("<", coordinate, storage.size))
        return (Stored(held, above=True),)


def run_starts(crd: NDArray[Any], size: int) -> NDArray[Any]:
    """For each slot, a row of ``crd``, the first of its columns where they follow one another, else ``NO_RUN``.
    ``size`` stands for a place without an entry."""
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
