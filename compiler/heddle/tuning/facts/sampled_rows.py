"""Samples of the rows of a matrix in CSR: of every length some, to see how ranges of columns cut them, and blocks of
neighbours, to see what they share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heddle.counts import bincount, repeat
from heddle.runtime.tensors.tensor import Tensor

Array = NDArray[Any]

SAMPLE = 64
"""Rows of each bucket of lengths that :func:`cut_rows` looks at."""

BLOCK_ENTRIES = 1 << 16
"""About how many entries :func:`blocks` looks at; blocks with four times as many are passed over."""


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """Entry p, for pos[i] <= p < pos[i + 1], lies in row i and column crd[p]; columns ascend in each row."""

    pos: Array
    crd: Array
    width: int


@dataclass(frozen=True, slots=True, eq=False)
class Cut:
    """``lengths[c]``: the different lengths of what c ranges of columns cut the rows into, empty ones left out, and an
    estimate of how many there are of each. ``complete``: no row was left out."""

    lengths: Mapping[int, tuple[Array, Array]]
    complete: bool


@dataclass(frozen=True, slots=True, eq=False)
class Blocks:
    """The entries of some blocks of rows, whose numbers ascend in ``looked_at``. ``complete``: of all blocks."""

    looked_at: Array
    rows: Array
    columns: Array
    width: int
    complete: bool


def rows_of(matrix: Tensor) -> Rows:
    """The rows of a matrix in ``csr``, without a copy."""
    pos, crd = matrix.levels[1].pos, matrix.levels[1].crd
    assert pos is not None
    assert crd is not None
    assert matrix.format.order == (0, 1)
    return Rows(pos, crd, matrix.shape[1])


def bucket_of(lengths: Array) -> Array:
    """The bucket of each length: 0 for 1, 1 for 2, 2 for 3 and 4, …; -1 for none."""
    return np.where(lengths > 0, np.frexp(np.maximum(lengths, 1) - 1)[1], -1).astype(np.int8)


def cut_rows(rows: Rows, lengths: Array, counts: Array, ranges: tuple[int, ...]) -> Cut:
    """Rows of each bucket of ``lengths`` stand for the others of it, in proportion to their entries; ``counts[l]`` rows
    have the length l."""
    buckets = bucket_of(np.arange(counts.size))
    bucket, entries = buckets[lengths], counts * np.arange(counts.size)
    widths = [max(1, -(-rows.width // count)) for count in ranges]
    limits = [np.arange(count + 1) * width for count, width in zip(ranges, widths, strict=True)]
    borders = np.minimum(np.concatenate(limits), rows.width).astype(rows.crd.dtype)
    samples: dict[int, list[tuple[Array, float]]] = {count: [] for count in ranges}
    complete = True
    for number in range(int(buckets[-1]) + 1 if counts.size else 0):
        here = np.flatnonzero(bucket == number)
        if here.size == 0:
            continue
        chosen = here if here.size <= SAMPLE else here[np.linspace(0, here.size - 1, SAMPLE, dtype=np.int64)]
        complete &= chosen.size == here.size
        scale = float(entries[buckets == number].sum()) / float(lengths[chosen].sum())
        ends = np.array([_row(rows, row).searchsorted(borders) for row in chosen.tolist()])
        place = 0
        for count in ranges:
            samples[count].append((np.diff(ends[:, place : place + count + 1], axis=1).ravel(), scale))
            place += count + 1
    return Cut({count: _added_up(parts) for count, parts in samples.items()}, complete)


def _row(rows: Rows, row: int) -> Array:
    return rows.crd[rows.pos[row] : rows.pos[row + 1]]


def _added_up(parts: list[tuple[Array, float]]) -> tuple[Array, Array]:
    longest = max((int(lengths.max(initial=0)) for lengths, _ in parts), default=0)
    total = np.zeros(longest + 1)
    for lengths, scale in parts:
        counted = bincount(lengths)
        total[: counted.size] += counted * scale
    sizes = np.flatnonzero(total[1:]) + 1
    return sizes, total[sizes]


def blocks(rows: Rows, height: int) -> Blocks:
    """Aligned blocks of ``height`` rows, evenly among all."""
    count, entries = rows.pos.size - 1, int(rows.pos[-1])
    number = -(-count // height)
    wanted = max(1, BLOCK_ENTRIES * number // max(entries, 1))
    chosen = np.arange(number) if wanted >= number else np.linspace(0, number - 1, wanted, dtype=np.int64)
    first, last = rows.pos[chosen * height], rows.pos[np.minimum((chosen + 1) * height, count)]
    chosen = chosen[last.astype(np.int64) - first <= 4 * BLOCK_ENTRIES]
    looked_at = (chosen[:, None] * height + np.arange(height)).ravel()
    looked_at = looked_at[looked_at < count]
    begins = rows.pos[looked_at].astype(np.int64)
    lengths = rows.pos[looked_at + 1] - begins
    places = np.arange(int(lengths.sum())) + repeat(begins - np.cumsum(lengths) + lengths, lengths)
    columns = rows.crd[places].astype(np.int64)
    return Blocks(looked_at, repeat(looked_at, lengths), columns, rows.width, chosen.size == number)
