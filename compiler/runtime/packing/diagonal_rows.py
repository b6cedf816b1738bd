"""The diagonals that CSR rows hold, by compiled C over their positions: for DIA."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from compiler.runtime.native import library, native_helpers

Array = NDArray[Any]

_LEAST = 4096
"""Fewer entries are looked at faster than C is loaded."""

_MARK = """
/* seen[d]: whether diagonal d holds something; d counts from the lower left corner. */
int32_t mark(int64_t rows, const INDEX* restrict pos, const INDEX* restrict crd, uint8_t* restrict seen) {
  for (int64_t row = 0; row < rows; row++)
    for (INDEX p = pos[row]; p < pos[row + 1]; p++) seen[crd[p] + (rows - 1 - row)] = 1;
  return 0;
}
"""

_SPREAD = """
/* Each value to its place: blocks of `height` rows hold `count` diagonals whole, number[d] is that of diagonal d. */
int32_t spread(int64_t rows, int64_t height, int64_t count, const INDEX* restrict pos, const INDEX* restrict crd,
               const VALUE* restrict vals, const int64_t* restrict number, VALUE* restrict out) {
  for (int64_t row = 0; row < rows; row++) {
    VALUE* const block = out + row / height * count * height + row % height;
    for (INDEX p = pos[row]; p < pos[row + 1]; p++) block[number[crd[p] + (rows - 1 - row)] * height] = vals[p];
  }
  return 0;
}
"""


def diagonals_of(pos: Array, crd: Array, columns: int) -> tuple[Array, Array]:
    """The offsets (column minus row) of the diagonals that hold something, ascending; and their numbers, an element for
    each diagonal, the one through the lower left corner first."""
    rows = pos.size - 1
    seen = np.zeros(rows + columns, np.uint8)
    call = _compiled(_MARK, "mark", seen, crd)
    if call is not None:
        call(library.dimension(rows), *map(library.pointer, (pos, crd, seen)))
    else:
        seen[_diagonal(pos, crd)] = 1
    return np.flatnonzero(seen) - (rows - 1), np.cumsum(seen, dtype=np.int64) - 1


def spread(pos: Array, crd: Array, vals: Array, numbers: Array, height: int, out: Array) -> None:
    """Every value to its place in ``out``, where blocks of ``height`` rows hold diagonals whole: those that
    :func:`diagonals_of` numbers."""
    rows, count = pos.size - 1, int(numbers[-1]) + 1 if numbers.size else 0
    call = _compiled(_SPREAD, "spread", vals, crd)
    if call is not None:
        sizes = map(library.dimension, (rows, height, count))
        call(*sizes, *map(library.pointer, (pos, crd, vals, numbers, out)))
        return
    block, inside = np.divmod(np.arange(rows), height)
    places = np.repeat(block * (count * height) + inside, np.diff(pos))
    out[places + numbers[_diagonal(pos, crd)] * height] = vals


def _compiled(text: str, name: str, values: Array, crd: Array) -> library.Call | None:
    return native_helpers.moving(text, name, values.itemsize, crd.dtype.name) if crd.size >= _LEAST else None


def _diagonal(pos: Array, crd: Array) -> Array:
    """That of each entry, counted from the lower left corner."""
    rows = pos.size - 1
    return crd + np.repeat(np.arange(rows - 1, -1, -1), np.diff(pos))
