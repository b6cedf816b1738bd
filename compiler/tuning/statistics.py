"""What the rules look at in an operand: how its entries lie in the rows, not what they are worth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from compiler.runtime.coordinates import Entries
from compiler.runtime.resident import host_array
from compiler.runtime.tensor import Tensor

Array = NDArray[Any]


@dataclass(frozen=True, slots=True)
class Statistics:
    """Of one sparse operand. Rows are the coordinates of its outermost stored dimension.

    ``longest`` is the number of entries of the fullest row, ``empty`` the number of rows without any. ``fibres`` counts
    the segments of the innermost level: rows of a matrix that hold something, (i, j) pairs of a tensor of order 3.
    ``bandwidth`` is the largest distance of a column from its row, None for what is no matrix. ``changes`` is the share
    of rows with another number of entries than the row before: how often a loop over a row ends unforeseen.
    """

    shape: tuple[int, ...]
    nonzeros: int
    rows: int
    longest: int
    empty: int
    fibres: int
    bandwidth: int | None = None
    changes: float = 0.0

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
    columns, _ = operand.to_coo()
    stored = tuple(dict.fromkeys(operand.format.order))
    return _of_columns(operand.shape, columns, stored)


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
    )


def _of_columns(shape: tuple[int, ...], columns: tuple[Array, ...], order: tuple[int, ...]) -> Statistics:
    if not columns:
        return Statistics(shape, 1, 1, 1, 0, 1)
    rows, nonzeros = shape[order[0]], int(columns[0].size)
    lengths = np.bincount(columns[order[0]], minlength=min(rows, nonzeros))
    filled = int(np.count_nonzero(lengths))
    bandwidth = None
    if len(columns) == 2 and nonzeros:
        bandwidth = int(np.abs(columns[0].astype(np.int64) - columns[1]).max())
    fibres = filled if len(order) == 2 else _fibres(columns, order, shape)
    longest = int(lengths.max(initial=0))
    return Statistics(shape, nonzeros, rows, longest, rows - filled, fibres, bandwidth, _changes(lengths))


def _changes(lengths: Array) -> float:
    return float(np.count_nonzero(np.diff(lengths)) / lengths.size) if lengths.size else 0.0


def _fibres(columns: tuple[Array, ...], order: tuple[int, ...], shape: tuple[int, ...]) -> int:
    """Distinct coordinates of all dimensions but the innermost stored one."""
    if len(order) == 1:
        return 1 if columns[0].size else 0
    key = np.zeros(columns[0].size, dtype=np.float64 if np.prod(shape, dtype=float) > 2**62 else np.int64)
    for dimension in order[:-1]:
        key = key * shape[dimension] + columns[dimension]
    key.sort()
    return int(np.count_nonzero(np.diff(key))) + 1 if key.size else 0
