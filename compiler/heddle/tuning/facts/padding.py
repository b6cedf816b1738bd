"""The padding that a matrix would have in formats that store rows in vector lanes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heddle.counts import bincount, reduceat
from heddle.runtime.packing.row_conversions.slot_runs import slots_by_diagonals

Array = NDArray[Any]

SAMPLED_ENTRIES = 1 << 18
"""About how many entries :func:`places_in_blocks` sorts."""


@dataclass(frozen=True, slots=True)
class Padding:
    """Padding ratios, stored values per entry: in slices of rows (``sell``), and on whole diagonals (``dia``), of which
    there are ``diagonals``. 1 is no padding; 0 means a matrix without entries."""

    sliced: float
    diagonal: float
    diagonals: int


def places_sorted(rows: Array, count: int, height: int, window: int) -> float:
    """The padding ratio in slices of ``height`` rows, of which ``window`` at a time are sorted by their length. Of
    ``count`` rows with entries at ``rows``, at least one."""
    lengths = np.zeros(-(-count // window) * window, dtype=np.int64)
    lengths[:count] = bincount(rows, minlength=count)
    descending = -np.sort(-lengths.reshape(-1, window), axis=1)
    return float(descending[:, ::height].sum() * height / rows.size)


def places_in_blocks(rows: Array, columns: Array, height: int) -> float:
    """The padding ratio, at least 1, in blocks of ``height`` rows and one column. Of many entries, those of every
    n-th row of blocks are looked at."""
    keys = sampled_blocks(rows, columns, height)
    return float(np.unique(keys).size * height / keys.size) if keys.size else float(height)


def sampled_blocks(rows: Array, columns: Array, height: int) -> Array:
    """For each entry a number of its block of ``height`` rows and one column; of many entries, those of every n-th row
    of blocks."""
    step = rows.size // SAMPLED_ENTRIES | 1  # odd, as few periods of a structure are
    number = rows // height
    chosen = number % step == 0
    keys: Array = number[chosen].astype(np.int64) * (int(columns.max(initial=0)) + 1) + columns[chosen]
    return keys


def share_in_runs(rows: Array, columns: Array, count: int, height: int) -> float:
    """The share of the entries, at least one, in slices whose diagonals have a slot each: ``sell-runs`` reads these
    side by side. Linear except for one sort of the entries."""
    lengths = bincount(rows, minlength=count)
    slots = reduceat(np.maximum, lengths, np.arange(0, count, height))
    aligned = slots_by_diagonals(rows, columns, slots, height)[1]
    return float(np.mean(aligned[rows // height]))


def padding_of(rows: Array, columns: Array, shape: tuple[int, int], height: int) -> Padding:
    """Of a matrix with entries at these coordinates, each once, in blocks of ``height`` rows. Linear in the entries."""
    entries, (count, _) = rows.size, shape
    if not entries:
        return Padding(0.0, 0.0, 0)
    lengths = bincount(rows, minlength=count)
    slots = int(reduceat(np.maximum, lengths, np.arange(0, count, height)).sum())
    distances = columns.astype(np.int64) - rows + count
    diagonals = int(np.count_nonzero(bincount(distances)))
    return Padding(slots * height / entries, diagonals * -(-count // height) * height / entries, diagonals)
