"""Operands that are given by coordinates: checked before they are sorted or counted."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heddle.index_width import index_dtype, needs_wide
from heddle.runtime.tensors.coordinates import Entries
from heddle.runtime.tensors.interop.compressed_matrix import outside_error
from heddle.runtime.tensors.operand_refusals import checked_dtype, unsupported_error

Array = NDArray[Any]


def checked_entries(
    shape: Sequence[int], coordinates: Iterable[Any], values: Array, name: str, validate: bool
) -> Entries:
    """Coordinates of 32 or 64 bits, checked: those of 64 stay in their memory, which sorting reads them from."""
    sizes = tuple(int(size) for size in shape)
    columns = tuple(np.asarray(column) for column in coordinates)
    data = checked_dtype(values, name)
    if len(columns) != len(sizes):
        transposed = len({column.shape for column in columns}) == 1 and columns[0].shape == (len(sizes),)
        hint = "One array for each dimension: pass coordinates.T." if transposed else None
        raise unsupported_error(name, f"{len(columns)} coordinate arrays for the shape {sizes}", hint)
    if any(size < 0 for size in sizes):
        raise unsupported_error(name, f"a negative dimension in the shape {sizes}")
    for column in columns:
        if column.shape != data.shape or data.ndim != 1:
            raise unsupported_error(
                name, f"a coordinate array of shape {column.shape} for values of shape {data.shape}"
            )
        if column.size and column.dtype.kind not in "iu":
            raise unsupported_error(name, f"coordinates of type {column.dtype.name}")
    if validate:
        _check_range(Entries(sizes, columns, data), name)
    index = index_dtype(needs_wide(sizes))
    narrow = tuple(column if column.dtype == np.int64 else column.astype(index, copy=False) for column in columns)
    return Entries(sizes, narrow, data)


def _check_range(entries: Entries, name: str) -> None:
    for dimension, (column, size) in enumerate(zip(entries.columns, entries.shape, strict=True)):
        if not _all_below(column, size):
            number = int(np.flatnonzero((column < 0) | (column >= size))[0])
            raise outside_error(name, number, int(column[number]), dimension, size)


def _all_below(column: Array, size: int) -> bool:
    """Whether all coordinates are from 0 to ``size`` - 1, in one pass: read as unsigned, what is negative is large."""
    if column.size == 0:
        return True
    bits = 8 * column.itemsize
    unsigned = column.view(column.dtype.str.replace("i", "u"))
    return int(unsigned.max()) < min(size, 1 << (bits - 1 if column.dtype.kind == "i" else bits))
