"""What the rules look at in an operand: how its entries are distributed over the rows, not their values."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heddle.counts import bincount, repeat
from heddle.runtime.storage.device_arrays import host_array
from heddle.runtime.tensors.composite import Composite
from heddle.runtime.tensors.coordinates import Entries
from heddle.runtime.tensors.tensor import Tensor

Array = NDArray[Any]

NEAR = 8
"""Columns that are next to each other: their rows of an operand are in memory that the processor prefetches."""

SAMPLE = 256
SAMPLED_ENTRIES = 1 << 15
"""Rows that ``scattered`` looks at, and about how many entries: fewer rows where they are long."""

DRIFT_SAMPLE = 1 << 16
"""Rows that ``drift`` looks at, and at most twice as many."""


@dataclass(frozen=True, slots=True)
class Statistics:
    """Of one sparse operand. Rows are the coordinates of its outermost stored dimension.

    ``longest`` is the number of entries of the fullest row, ``empty`` the number of rows without any. ``fibres`` counts
    the segments of the innermost level: rows of a matrix that hold something, (i, j) pairs of a tensor of order 3.
    ``longest_fibre`` is the number of entries of the fullest one; None where nobody looked.
    ``bandwidth`` is the largest distance of a column from its row, None for what is no matrix. ``changes`` is the share
    of rows with another number of entries than the row before: how often a loop over a row ends unforeseen.
    ``scattered`` is the share of entries, in a sample of the rows, that lie more than ``NEAR`` columns away from all of
    the row before and do not follow their neighbour: of an operand with a row for each column, the rows that no cache
    holds yet. Of a tensor, its fibres count as rows, the coordinates of its innermost dimension as columns.
    ``drift`` says how much the two halves of the entries differ: 0 where the squares of the lengths of their rows sum
    up to the same, 1 where one half has it all. Where entries meet rows like their own, so do the products with those.
    ``parts`` are those of its parts, where it is stored as a sum of them.
    """

    shape: tuple[int, ...]
    nonzeros: int
    rows: int
    longest: int
    empty: int
    fibres: int
    bandwidth: int | None = None
    changes: float = 0.0
    scattered: float = 0.0
    longest_fibre: int | None = None
    drift: float = 0.0
    parts: tuple[Statistics, ...] = ()

    @property
    def mean(self) -> float:
        """Entries of a row."""
        return self.nonzeros / self.rows if self.rows else 0.0

    @property
    def spread(self) -> float:
        """How many times the mean the fullest row holds; 1 when all rows are alike."""
        return self.longest / self.mean if self.nonzeros else 1.0

    @property
    def fibre_length(self) -> float:
        """Entries of a fibre that holds something."""
        return self.nonzeros / self.fibres if self.fibres else 0.0


def statistics_of(operand: Tensor | Entries, order: tuple[int, ...] | None = None) -> Statistics:
    """Of a packed tensor or of entries without duplicates; ``order`` is that of the stored dimensions of entries.

    A packed matrix with ``pos`` arrays is looked at row by row, everything else entry by entry. Of a matrix on a GPU
    the positions alone are copied (:func:`has_rows_to_look_at`).
    """
    if isinstance(operand, Entries):
        return _of_columns(operand.shape, operand.columns, order or tuple(range(len(operand.shape))))
    if has_rows_to_look_at(operand):
        return _of_rows(operand)
    if isinstance(operand, Composite):
        return _of_parts(operand)
    columns, _ = operand.to_coo()
    stored = tuple(dict.fromkeys(operand.format.order))
    return _of_columns(operand.shape, columns, stored)


def _of_parts(tensor: Composite) -> Statistics:
    """Of all entries, and of those of each part."""
    part_columns = [part.to_coo()[0] for part in tensor.parts]
    rows = tuple(range(tensor.order))
    columns = tuple(np.concatenate([coordinates[dimension] for coordinates in part_columns]) for dimension in rows)
    parts = tuple(
        _of_columns(tensor.shape, coordinates, tuple(dict.fromkeys(part.format.order)))
        for part, coordinates in zip(tensor.parts, part_columns, strict=True)
    )
    return replace(_of_columns(tensor.shape, columns, rows), parts=parts)


def has_rows_to_look_at(tensor: Tensor) -> bool:
    """Whether ``pos`` tells how long the rows of ``tensor`` are."""
    levels = tensor.levels
    return len(levels) == 2 and tensor.format.levels[0].kind == "dense" and levels[1].pos is not None


def _of_rows(tensor: Tensor) -> Statistics:
    """From ``pos`` and the first and last coordinate of each row, which are its extremes where rows are ordered."""
    pos, crd = tensor.levels[1].pos, tensor.levels[1].crd
    assert pos is not None
    if tensor.resident:
        pos, crd = host_array(pos), None
    lengths = np.diff(pos)
    filled = np.flatnonzero(lengths)
    bandwidth = None
    if crd is not None and tensor.format.levels[1].ordered:
        first = np.abs(crd[pos[filled]].astype(np.int64) - filled)
        last = np.abs(crd[pos[filled + 1] - 1].astype(np.int64) - filled)
        bandwidth = int(max(first.max(initial=0), last.max(initial=0)))
    return Statistics(
        tensor.shape,
        int(pos[-1]),
        lengths.size,
        int(lengths.max(initial=0)),
        int(lengths.size - filled.size),
        int(filled.size),
        bandwidth,
        _changes(lengths),
        0.0 if crd is None else _scattered_rows(pos, crd, filled),
        int(lengths.max(initial=0)),
        _drift(lengths),
    )


def _of_columns(shape: tuple[int, ...], columns: tuple[Array, ...], order: tuple[int, ...]) -> Statistics:
    if not columns:
        return Statistics(shape, 1, 1, 1, 0, 1, longest_fibre=1)
    rows, nonzeros = shape[order[0]], int(columns[0].size)
    lengths = bincount(columns[order[0]], minlength=min(rows, nonzeros))
    filled = int(np.count_nonzero(lengths))
    bandwidth = None
    if len(columns) == 2 and nonzeros:
        bandwidth = int(np.abs(columns[0].astype(np.int64) - columns[1]).max())
    longest = int(lengths.max(initial=0))
    scattered = _scatter([columns[dimension] for dimension in order], lengths) if len(order) > 1 else 0.0
    fibres, longest_fibre = (filled, longest) if len(order) == 2 else _fibres(columns, order, shape)
    changes, drift, empty = _changes(lengths), _drift(lengths), rows - filled
    return Statistics(
        shape, nonzeros, rows, longest, empty, fibres, bandwidth, changes, scattered, longest_fibre, drift
    )


def _changes(lengths: Array) -> float:
    return float(np.count_nonzero(np.diff(lengths)) / lengths.size) if lengths.size else 0.0


def _drift(lengths: Array) -> float:
    """From every n-th row where there are many: this is about how rows change over the whole matrix."""
    sampled = lengths[:: max(1, lengths.size // DRIFT_SAMPLE)].astype(np.float64)
    entries, squares = (np.append(0.0, np.cumsum(part)) for part in (sampled, np.square(sampled)))
    if not entries[-1]:
        return 0.0
    return float(abs(2 * np.interp(entries[-1] / 2, entries, squares) / squares[-1] - 1))


def _scattered_rows(pos: Array, crd: Array, filled: Array) -> float:
    """The same from compressed rows, of which only the sampled ones are read."""
    sample = _sample(filled.size, int(pos[-1]))
    numbers = np.union1d(sample, sample - 1)
    first = pos[filled[numbers]].astype(np.int64)
    lengths = pos[filled[numbers] + 1] - first
    place = np.arange(lengths.sum()) + repeat(first - np.cumsum(lengths) + lengths, lengths)
    return _share(repeat(numbers, lengths), crd[place], sample)


def _scatter(columns: list[Array], lengths: Array) -> float:
    """Of entries in any order; ``columns`` from the outermost dimension on."""
    filled = lengths > 0
    sample = _sample(int(np.count_nonzero(filled)), columns[0].size)
    number = (np.cumsum(filled) - 1)[columns[0]]
    if len(columns) == 2:
        looked_at = np.isin(number, np.union1d(sample, sample - 1))
        return _share(number[looked_at], columns[1][looked_at], sample)
    looked_at = np.isin(number, sample)
    within = [column[looked_at] for column in columns]
    order = np.lexsort(within[::-1])
    ends = np.logical_or.reduce([np.diff(column[order]) != 0 for column in within[:-1]])
    fibres = np.concatenate([[0], np.cumsum(ends)]) if order.size else np.arange(0)
    return _share(fibres, within[-1][order], np.arange(1, fibres[-1] + 1 if fibres.size else 0))


def _sample(filled: int, nonzeros: int) -> Array:
    """Numbers of rows that hold something and follow another one, evenly among ``filled``."""
    if filled < 2:
        return np.arange(0)
    rows = min(SAMPLE, filled - 1, SAMPLED_ENTRIES * filled // nonzeros + 1)
    return np.linspace(1, filled - 1, rows + 2, dtype=np.int64)[1:-1] if rows < filled - 1 else np.arange(1, filled)


def _share(rows: Array, columns: Array, sample: Array) -> float:
    """Of the entries in the rows ``sample``, those that neither follow another one nor have one of the row before
    within ``NEAR`` columns."""
    stride = int(columns.max(initial=0)) + 2 * NEAR + 2
    keys = rows.astype(np.int64) * stride + columns
    sample_keys, before = np.sort(keys[np.isin(rows, sample)]), np.sort(keys[np.isin(rows + 1, sample)]) + stride
    if not sample_keys.size:
        return 0.0
    place = np.searchsorted(before, sample_keys)
    left = sample_keys - before[np.maximum(place - 1, 0)]
    right = before[np.minimum(place, before.size - 1)] - sample_keys
    far = np.minimum(np.abs(left), np.abs(right)) > NEAR
    far[1:] &= np.diff(sample_keys) > 1
    return float(np.mean(far))


def prefixes(entries: Entries, order: tuple[int, ...]) -> list[int]:
    """How many different coordinates the entries have in the outermost stored dimension, in the two outermost, …"""
    keys = (_sorted_keys(entries.columns, order[:depth], entries.shape) for depth in range(1, len(order) + 1))
    return [int(np.count_nonzero(np.diff(key))) + min(key.size, 1) for key in keys]


def _fibres(columns: tuple[Array, ...], order: tuple[int, ...], shape: tuple[int, ...]) -> tuple[int, int]:
    """How many there are, told apart by the coordinates of all dimensions but the innermost stored one, and the entries
    of the fullest."""
    if len(order) == 1:
        return (1 if columns[0].size else 0), columns[0].size
    key = _sorted_keys(columns, order[:-1], shape)
    if not key.size:
        return 0, 0
    ends = np.append(np.flatnonzero(np.diff(key)) + 1, key.size)
    return ends.size, int(np.diff(ends, prepend=0).max())


def _sorted_keys(columns: tuple[Array, ...], dimensions: tuple[int, ...], shape: tuple[int, ...]) -> Array:
    """A number for the coordinates of each entry in these dimensions, ascending; of huge shapes rounded."""
    key = np.zeros(columns[0].size, dtype=np.float64 if np.prod(shape, dtype=float) > 2**62 else np.int64)
    for dimension in dimensions:
        key = key * shape[dimension] + columns[dimension]
    key.sort()
    return key
