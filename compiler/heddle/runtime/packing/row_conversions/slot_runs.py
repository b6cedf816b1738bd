"""In which slot of its slice an entry is, and where the rows of a slice have columns that follow one another."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from heddle.counts import bincount, repeat
from heddle.formats.levels.sliced.runs import NO_RUN
from heddle.index_width import index_dtype, needs_wide

Array = NDArray[Any]


def slots_in_order(pos: Array) -> Array:
    """The number of each entry in its row."""
    return np.arange(int(pos[-1])) - repeat(pos[:-1].astype(np.int64), np.diff(pos))


def slots_of_rows(pos: Array, crd: Array, order: Array, slots: Array, height: int) -> tuple[Array, Array]:
    """The slot of each entry, and which slices have a slot for each of their diagonals: there it is the number of its
    diagonal, elsewhere its number in the row.

    ``order`` is the row at each position, ``slots`` the number of slots of each slice of ``height`` rows.
    """
    place, lengths = np.empty(order.size, dtype=np.int64), np.diff(pos)
    place[order] = np.arange(order.size)
    by_diagonals, held = slots_by_diagonals(repeat(place, lengths), crd, slots, height)
    return np.where(repeat(held[place // height], lengths), by_diagonals, slots_in_order(pos)), held


def slots_by_diagonals(place: Array, crd: Array, slots: Array, height: int) -> tuple[Array, Array]:
    """The slot of each entry of a slice that has slots for all of its diagonals, one for each; and which slices have.
    In other slices the numbers mean nothing.

    ``place`` is the position of each entry's row, ``slots`` the number of slots of each slice of ``height`` rows.
    Linear except for one sort of the entries.
    """
    slice_of, inside = np.divmod(place, height)
    span = int(crd.max(initial=0)) + height
    diagonal = slice_of.astype(np.int64) * span + (height - 1) - inside + crd
    order = np.argsort(diagonal, kind="stable")
    ascending = diagonal[order]
    fresh = np.ones(diagonal.size, dtype=bool)
    fresh[1:] = ascending[1:] != ascending[:-1]
    counts = bincount(ascending[fresh] // span, minlength=slots.size)
    number = np.empty(diagonal.size, dtype=index_dtype(needs_wide(diagonal.shape)))
    number[order] = np.cumsum(fresh, dtype=number.dtype)
    return number - (np.cumsum(counts) - counts + 1).astype(number.dtype)[slice_of], counts <= slots


def complete_runs(crd: Array, first: Array, aligned: Array, size: int) -> None:
    """Makes runs of the ``aligned`` slots that are none, each on a diagonal that is inside the matrix: every position
    gets its column there. Changes ``crd``, a row for each slot, and ``first``, of :func:`run_starts`."""
    broken = np.flatnonzero(aligned & (first == NO_RUN))
    inside, held = np.arange(crd.shape[1]), crd[broken]
    starts = np.where(held < size, held - inside, size).min(axis=1, initial=size)
    whole = (starts >= 0) & (starts + crd.shape[1] <= size)
    first[broken[whole]] = starts[whole]
    crd[broken[whole]] = starts[whole, None] + inside
