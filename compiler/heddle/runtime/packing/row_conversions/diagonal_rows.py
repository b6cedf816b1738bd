"""The diagonals that CSR rows hold, by compiled C over their positions: for DIA."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from heddle.counts import repeat
from heddle.runtime.memory.allocation_limit import require_memory
from heddle.runtime.native import c_files, library, native_helpers

Array = NDArray[Any]

_BYTES = 9
"""What is kept of each diagonal while they are looked for: whether it holds something, and its number."""
_LEAST = 4096
"""Fewer entries are looked at faster than C is loaded."""


def diagonals_of(pos: Array, crd: Array, columns: int) -> tuple[Array, Array]:
    """The offsets (column minus row) of the diagonals that hold something, ascending; and their numbers, an element for
    each diagonal, the one through the lower left corner first."""
    rows = pos.size - 1
    require_memory((rows + columns) * _BYTES, f"{rows + columns:,} diagonals")
    seen = np.zeros(rows + columns, np.uint8)
    call = _compile("mark", seen, crd)
    if call is not None:
        call(library.dimension(rows), *map(library.pointer, (pos, crd, seen)))
    else:
        seen[_diagonal(pos, crd)] = 1
    return np.flatnonzero(seen) - (rows - 1), np.cumsum(seen, dtype=np.int64) - 1


def spread(pos: Array, crd: Array, vals: Array, numbers: Array, height: int, out: Array) -> None:
    """Every value to its place in ``out``, where blocks of ``height`` rows hold diagonals whole: those that
    :func:`diagonals_of` numbers."""
    rows, count = pos.size - 1, int(numbers[-1]) + 1 if numbers.size else 0
    call = _compile("spread", vals, crd)
    if call is not None:
        sizes = map(library.dimension, (rows, height, count))
        call(*sizes, *map(library.pointer, (pos, crd, vals, numbers, out)))
        return
    block, inside = np.divmod(np.arange(rows), height)
    places = repeat(block * (count * height) + inside, np.diff(pos))
    out[places + numbers[_diagonal(pos, crd)] * height] = vals


def _compile(name: str, values: Array, crd: Array) -> library.Call | None:
    if crd.size < _LEAST:
        return None
    return native_helpers.moving(c_files.text_of("diagonal_rows.c"), name, values.itemsize, crd.dtype.name)


def _diagonal(pos: Array, crd: Array) -> Array:
    """That of each entry, counted from the lower left corner."""
    rows = pos.size - 1
    return crd + repeat(np.arange(rows - 1, -1, -1), np.diff(pos))
