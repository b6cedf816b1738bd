"""How many atomic updates a method makes in one MTTKRP, of which rows, and when: what threads may wait for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heddle.algorithms.methods import CHUNK, Method
from heddle.counts import bincount
from heddle.runtime.tensors.coordinates import Entries

Array = NDArray[Any]
BLOCKS, BINS = 12, 32
"""At most so many groups of neighbouring chunks, and of neighbouring rows, has a picture."""


@dataclass(frozen=True, slots=True, eq=False)
class Writes:
    """Atomic updates of rows in one call, each of ``rank`` single values.

    ``row`` and ``place`` have one element for each: the row, and the number of the entry behind which it is made, in
    the order in which entries are taken; ``entries`` are all of them, ``rows`` those of the result.
    """

    row: Array
    place: Array
    entries: int
    rows: int

    @property
    def count(self) -> int:
        return int(self.row.size)

    def picture(self) -> list[list[int]]:
        """How many there are by group of chunks (at most :data:`BLOCKS`) and group of rows (at most :data:`BINS`)."""
        chunks = max(-(-self.entries // CHUNK), 1)
        blocks, bins = min(BLOCKS, chunks), max(min(BINS, self.rows), 1)
        block = self.place // CHUNK * blocks // chunks
        cell = block * bins + self.row.astype(np.int64) * bins // max(self.rows, 1)
        counted = bincount(cell, minlength=blocks * bins)
        return [[int(value) for value in line] for line in counted.reshape(blocks, bins)]

    def busiest(self) -> tuple[int, int]:
        """The row with the most updates, the first of several, and how many these are."""
        counted = bincount(self.row, minlength=1)
        row = int(counted.argmax())
        return row, int(counted[row])

    def count_atomic_rows(self) -> int:
        """How many rows are updated atomically at all."""
        return int(np.count_nonzero(bincount(self.row, minlength=1)))


def atomic_updates(method: Method, entries: Entries, mode: int, rank: int) -> int:
    """Of single values, for ``entries`` that are sorted by all dimensions."""
    return writes_of(method, entries, mode).count * rank


def writes_of(method: Method, entries: Entries, mode: int) -> Writes:
    """Of rows, for ``entries`` that are sorted by all dimensions."""
    row, count, rows = entries.columns[mode], int(entries.values.size), entries.shape[mode]
    if method.name == "permuted":
        row = row[np.argsort(row, kind="stable")]
    match method.name:
        case "atomic":
            at = np.ones(count, dtype=bool)
        case "tiled" if mode == 0:
            at = _ends(row)
        case "tiled" if mode < len(entries.shape) - 1:
            at = _begins(row)
        case "tiled":
            at = np.ones(count, dtype=bool)
        case "permuted":
            at = _ends(row)
        case _:
            at = np.zeros(count, dtype=bool)
    place = np.flatnonzero(at)
    return Writes(row[place], place, count, rows)


def _begins(row: Array) -> NDArray[np.bool_]:
    """Which entries are the first of a row in their chunk."""
    begins = np.ones(row.size, dtype=bool)
    begins[1:] = row[1:] != row[:-1]
    begins[::CHUNK] = True
    return begins


def _ends(row: Array) -> NDArray[np.bool_]:
    """Which of these are of the first or the last row of their chunk: other threads may have a part of these alone."""
    place = np.flatnonzero(_begins(row))
    chunk = place // CHUNK
    mask = np.ones(place.size, dtype=bool)
    if place.size > 2:
        mask[1:-1] = (chunk[1:-1] != chunk[:-2]) | (chunk[1:-1] != chunk[2:])
    ends = np.zeros(row.size, dtype=bool)
    ends[place[mask]] = True
    return ends
