"""The diagonals that CSR rows hold, by compiled C over their positions: for DIA, and for slices whose diagonals have a
slot each."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from compiler.runtime import library, own_c
from compiler.runtime.slot_runs import slots_by_diagonals, slots_in_order

Array = NDArray[Any]

_LEAST = 4096
"""Fewer entries are looked at faster than C is loaded."""
_WIDEST = 1 << 26
"""Columns beyond which a number for each of them takes too much memory."""

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

_ASSIGN = """
#include <stdlib.h>

static int ascending(const void* a, const void* b) {
  const INDEX x = *(const INDEX*)a, y = *(const INDEX*)b;
  return (x > y) - (x < y);
}

/* slot[p]: that of entry p in its slice of `height` places, at which the rows `order` stand: the number of its
   diagonal where the slice has a slot for each (aligned), else its number in the row. number: -1 everywhere. */
int32_t assign(int64_t slices, int64_t rows, int64_t height, const INDEX* restrict pos, const INDEX* restrict crd,
               const int64_t* restrict order, const int64_t* restrict slots, INDEX* restrict number,
               INDEX* restrict found, int64_t* restrict slot, uint8_t* restrict aligned) {
  for (int64_t s = 0; s < slices; s++) {
    const int64_t end = (s + 1) * height < rows ? (s + 1) * height : rows, last = (s + 1) * height - 1;
    int64_t count = 0;
    aligned[s] = 1;
    for (int64_t place = s * height; place < end && aligned[s]; place++)
      for (INDEX p = pos[order[place]]; p < pos[order[place] + 1]; p++) {
        const INDEX d = crd[p] + (INDEX)(last - place);
        if (number[d] >= 0) continue;
        if (count == slots[s]) {
          aligned[s] = 0;
          break;
        }
        number[d] = 0;
        found[count++] = d;
      }
    if (aligned[s]) {
      qsort(found, count, sizeof(INDEX), ascending);
      for (int64_t k = 0; k < count; k++) number[found[k]] = (INDEX)k;
    }
    for (int64_t place = s * height; place < end; place++) {
      const INDEX begin = pos[order[place]];
      for (INDEX p = begin; p < pos[order[place] + 1]; p++)
        slot[p] = aligned[s] ? number[crd[p] + (INDEX)(last - place)] : p - begin;
    }
    for (int64_t k = 0; k < count; k++) number[found[k]] = -1;
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


def slots_of_rows(pos: Array, crd: Array, order: Array, slots: Array, height: int, columns: int) -> tuple[Array, Array]:
    """The slot of each entry, and which slices have a slot for each of their diagonals: there it is the number of its
    diagonal, elsewhere its number in the row.

    ``order`` is the row at each place, ``slots`` the number of slots of each slice of ``height`` places.
    """
    slot, aligned = np.empty(crd.size, np.int64), np.empty(slots.size, np.uint8)
    call = _compiled(_ASSIGN, "assign", aligned, crd) if columns + height <= _WIDEST else None
    if call is not None:
        number = np.full(columns + height, -1, crd.dtype)
        found = np.empty(int(slots.max(initial=0)) + 1, crd.dtype)
        sizes = map(library.dimension, (slots.size, order.size, height))
        call(*sizes, *map(library.pointer, (pos, crd, order, slots, number, found, slot, aligned)))
        return slot, aligned.astype(bool)
    place, own = np.empty(order.size, dtype=np.int64), np.diff(pos)
    place[order] = np.arange(order.size)
    by_diagonals, held = slots_by_diagonals(np.repeat(place, own), crd, slots, height)
    return np.where(np.repeat(held[place // height], own), by_diagonals, slots_in_order(pos)), held


def _compiled(text: str, name: str, values: Array, crd: Array) -> library.Call | None:
    return own_c.moving(text, name, values.itemsize, crd.dtype.name) if crd.size >= _LEAST else None


def _diagonal(pos: Array, crd: Array) -> Array:
    """That of each entry, counted from the lower left corner."""
    rows = pos.size - 1
    return crd + np.repeat(np.arange(rows - 1, -1, -1), np.diff(pos))
