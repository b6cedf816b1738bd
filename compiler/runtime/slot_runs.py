"""In which slot of its slice an entry stands, and where the rows of a slice have columns that follow one another."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]

NO_RUN = -1
"""What a ``runs`` level stores for a slot whose columns do not follow one another."""


def slots_in_order(pos: Array) -> Array:
    """The number of each entry in its row."""
    return np.arange(int(pos[-1])) - np.repeat(pos[:-1].astype(np.int64), np.diff(pos))


def slots_by_diagonals(pos: Array, crd: Array, place: Array, slots: Array, height: int) -> tuple[Array, Array]:
    """The slot of each entry: one for each diagonal of a slice that has slots for all of them, else those in order; and
    which slices have.

    ``place`` is that of each row, ``slots`` the number of slots of each slice of ``height`` places. Linear but for one
    sort of the entries.
    """
    lengths = np.diff(pos)
    slice_of, inside = np.divmod(place, height)
    span = int(crd.max(initial=0)) + height
    diagonal = np.repeat(slice_of * span + (height - 1) - inside, lengths) + crd
    held, number = np.unique(diagonal, return_inverse=True)
    counts = np.bincount(held // span, minlength=slots.size)
    fits, first = counts <= slots, np.cumsum(counts) - counts
    own = np.repeat(slice_of, lengths)
    return np.where(fits[own], number - first[own], slots_in_order(pos)), fits


def complete_runs(crd: Array, aligned: Array, size: int) -> None:
    """Gives every place of an ``aligned`` slot, a row of ``crd``, the column on the slot's diagonal, where all of these
    lie inside the matrix. ``size`` stands for a place without an entry."""
    inside = np.arange(crd.shape[1])
    first = np.where(crd < size, crd - inside, size).min(axis=1, initial=size)
    whole = np.flatnonzero(aligned & (first >= 0) & (first + crd.shape[1] <= size))
    crd[whole] = first[whole, None] + inside


def run_starts(crd: Array, size: int) -> Array:
    """For each slot, a row of ``crd``, the first of its columns where they follow one another, else ``NO_RUN``."""
    first = crd[:, 0]
    follow = first + (crd.shape[1] - 1) < size
    for inside in range(1, crd.shape[1]):
        follow &= crd[:, inside] == first + inside
    return np.where(follow, first, NO_RUN).astype(crd.dtype)
