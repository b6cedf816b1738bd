"""Entries into compressed rows, by compiled C: a stable radix sort that first brings ranges of rows together, so that
what follows stays in the cache. Threads share the entries, then the ranges; what comes out is the same for any number
of threads."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from heddle.runtime.memory import buffers
from heddle.runtime.memory.allocation_limit import require_values
from heddle.runtime.native import c_files, library, native_helpers

Array = NDArray[Any]
Rows = tuple[Array, Array, Array]
"""``pos``, ``crd`` and values."""

_BUCKETS = 512
"""As in ``row_sort.c``."""


def sorted_rows(rows: Array, columns: Array, values: Array, shape: tuple[int, int]) -> tuple[Rows, bool] | None:
    """``pos``, ``crd`` and values of the compressed rows of a matrix of that ``shape``, and whether coordinates repeat:
    columns ascend in each row, and entries with equal coordinates stay in the order in which they came. None where
    there is no C compiler.

    Parameters
    ----------
    rows, columns
        coordinates of the entries, of one dtype (int32 or int64), which the answer has, too.
    values
        of any dtype of up to 16 bytes.

    Raises
    ------
    CompileError
        ``runtime/too-large``.
    """
    arrays = [np.ascontiguousarray(array) for array in (rows, columns, values)]
    return _sort(None, arrays[0], arrays[1], arrays[2], shape)


def sorted_transpose(pos: Array, crd: Array, values: Array, columns: int) -> Rows | None:
    """The compressed rows of the transposed matrix, which has ``columns`` of them, from rows in order."""
    outcome = _sort(pos, crd, None, values, (columns, pos.size - 1))
    return None if outcome is None else outcome[0]


def _sort(
    from_pos: Array | None, rows: Array, columns: Array | None, values: Array, shape: tuple[int, int]
) -> tuple[Rows, bool] | None:
    index, count = "int32" if rows.itemsize == 4 else "int64", values.size
    sort = native_helpers.moving(c_files.text_of("row_sort.c"), "sort", values.itemsize, index)
    if sort is None:
        return None
    require_values(shape[0] + 1, index, "the pos array")
    parts = native_helpers.threads(count)
    pos, crd, vals = buffers.allocate_together((shape[0] + 1, rows.dtype), (count, rows.dtype), (count, values.dtype))
    room = (parts * _BUCKETS + 3 * count) * rows.itemsize + count * values.itemsize + 5 * buffers.ALIGNMENT
    arrays = (from_pos, rows, columns, values, pos, crd, vals, buffers.empty(room, "uint8"))
    sizes = map(library.dimension, (parts, count, *shape))
    repeated = sort(*sizes, *(None if array is None else library.pointer(array) for array in arrays))
    return (pos, crd, vals), bool(repeated)
