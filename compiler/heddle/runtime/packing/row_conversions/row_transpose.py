"""Compressed rows to compressed columns, by compiled C: entries are counted by columns, then put where they belong.

Each thread counts and moves a range of the entries; what comes out is the same for any number of threads.
"""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from heddle.runtime.memory import buffers
from heddle.runtime.memory.allocation_limit import require_values
from heddle.runtime.native import c_files, library, native_helpers
from heddle.runtime.packing.row_conversions.row_sort import Rows, sorted_transpose

Array = NDArray[Any]

_FAR = 1 << 17
"""Of so many columns the ends, where the next entry goes, no longer stay in the cache while entries are put there."""
_CACHED_BYTES = 1 << 19
"""Of the columns that a range of entries reaches: more are prefetched."""
_NEAR = 1 << 15
"""So few entries stay in the cache, whatever their columns."""
_LINE = 64
"""Bytes that come into the cache together: of a long column those of a coordinate and of a value, at a time."""
_MOST_ENDS = 2
"""Ends of columns for each entry, those of all parts together, beyond which other ways are faster."""


def transpose_rows(pos: Array, crd: Array, values: Array, columns: int) -> Rows | None:
    """``pos``, ``crd`` and values of the compressed rows of the transposed matrix, which has ``columns`` rows, from
    those of a matrix whose rows are in order. None where there is no C compiler.

    Raises
    ------
    CompileError
        ``runtime/too-large``.
    """
    index, count = "int32" if crd.itemsize == 4 else "int64", crd.size
    text = c_files.text_of("row_transpose.c")
    look, call = (native_helpers.moving(text, name, values.itemsize, index) for name in ("reach", "transpose"))
    if look is None or call is None:
        return None
    reach = look(library.dimension(count), library.pointer(crd)) if count > _NEAR else 0
    if reach > _FAR or columns > _MOST_ENDS * count + _FAR:
        return sorted_transpose(pos, crd, values, columns)
    require_values(columns + 1, index, "the pos array")
    parts = native_helpers.threads(count)
    if parts > 1:
        parts = max(1, min(parts, _MOST_ENDS * count // max(columns, 1)))
    next = buffers.empty((parts - 1) * columns, index) if parts > 1 else None
    to_pos, to_crd, to_values = buffers.allocate_together(
        (columns + 1, crd.dtype), (count, crd.dtype), (count, values.dtype)
    )
    column = min(2 * _LINE, count / max(columns, 1) * (crd.itemsize + values.itemsize))
    far = reach * column > _CACHED_BYTES
    sizes = map(library.dimension, (int(far), parts, pos.size - 1, columns))
    call(
        *sizes,
        *map(library.pointer, (pos, crd, values, to_pos, to_crd, to_values)),
        None if next is None else library.pointer(next),
    )
    return to_pos, to_crd, to_values
