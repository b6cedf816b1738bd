"""CSR rows to slices of them (``sell(8)``, ``sell(8,512)``, ``sell-runs(32)``), by compiled C: one pass over the rows
finds how wide each slice is, one writes the slices. Threads share the slices."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from compiler.runtime.memory import buffers
from compiler.runtime.native import library, native_helpers

Array = NDArray[Any]

_LEAST = 4096
"""Fewer entries are stored faster than C is loaded."""

_WIDTHS = """
/* Sorts the rows of each window by their entries, most first, equal ones as they were, and finds how wide each slice of
   `height` places is. Without windows order is NULL. counts: `most` + 1 for each thread. total: of all widths, and the
   largest. */
int32_t widths(int64_t parts, int64_t rows, int64_t height, int64_t window, int64_t most, const INDEX* restrict pos,
               INDEX* restrict order, INDEX* restrict starts, INDEX* restrict counts, int64_t* restrict total) {
  int64_t widest = 0;
  #pragma omp parallel num_threads(parts) reduction(max : widest)
  {
    INDEX* restrict next = counts + omp_get_thread_num() * (most + 1);
    #pragma omp for schedule(static)
    for (int64_t w = 0; w < (rows + window - 1) / window; w++) {
      const int64_t first = w * window, end = first + window < rows ? first + window : rows;
      if (order) {
        INDEX longest = 0;
        for (int64_t r = first; r < end; r++) longest = pos[r + 1] - pos[r] > longest ? pos[r + 1] - pos[r] : longest;
        memset(next, 0, (longest + 1) * sizeof(INDEX));
        for (int64_t r = first; r < end; r++) next[longest - (pos[r + 1] - pos[r])]++;
        INDEX place = (INDEX)first;
        for (INDEX shorter = 0; shorter <= longest; shorter++) {
          const INDEX here = next[shorter];
          next[shorter] = place;
          place += here;
        }
        for (int64_t r = first; r < end; r++) order[next[longest - (pos[r + 1] - pos[r])]++] = (INDEX)r;
      }
      for (int64_t slice = first; slice < end; slice += height) {
        const int64_t last = order ? slice + 1 : slice + height < end ? slice + height : end;
        INDEX width = 0;
        for (int64_t place = slice; place < last; place++) {
          const int64_t r = order ? order[place] : place;
          width = pos[r + 1] - pos[r] > width ? pos[r + 1] - pos[r] : width;
        }
        starts[slice / height + 1] = width;
        widest = width > widest ? width : widest;
      }
    }
  }
  int64_t sum = 0;
  starts[0] = 0;
  for (int64_t slice = 0; slice < (rows + height - 1) / height; slice++) {
    sum += starts[slice + 1];
    starts[slice + 1] = (INDEX)sum;
  }
  total[0] = sum, total[1] = widest;
  return 0;
}
"""

_FILL = """
enum { SLOTS_AT_ONCE = 64 };

/* Writes every slot of every slice: a row's entries in order, then `columns` and the fill. */
int32_t fill(int64_t parts, int64_t rows, int64_t height, int64_t columns, const INDEX* restrict pos,
             const INDEX* restrict crd, const VALUE* restrict vals, const INDEX* restrict order,
             const INDEX* restrict starts, const VALUE* restrict fill, INDEX* restrict to_crd,
             VALUE* restrict to_vals) {
  const int64_t slices = (rows + height - 1) / height;
  #pragma omp parallel for schedule(dynamic, 256) num_threads(parts)
  for (int64_t s = 0; s < slices; s++) {
    const int64_t width = starts[s + 1] - starts[s];
    INDEX* const at_crd = to_crd + starts[s] * height;
    VALUE* const at_vals = to_vals + starts[s] * height;
    for (int64_t from = 0; from < width; from += SLOTS_AT_ONCE) {
      const int64_t to = from + SLOTS_AT_ONCE < width ? from + SLOTS_AT_ONCE : width;
      for (int64_t inside = 0; inside < height; inside++) {
        const int64_t place = s * height + inside;
        const int64_t r = place < rows ? order ? order[place] : place : -1;
        const INDEX begin = r < 0 ? 0 : pos[r];
        const int64_t own = r < 0 ? 0 : pos[r + 1] - begin, held = own < to ? own : to;
        int64_t k = from;
        for (; k < held; k++) {
          at_crd[k * height + inside] = crd[begin + k];
          at_vals[k * height + inside] = vals[begin + k];
        }
        for (; k < to; k++) {
          at_crd[k * height + inside] = (INDEX)columns;
          at_vals[k * height + inside] = *fill;
        }
      }
    }
  }
  return 0;
}
"""

_RUNS = """
#include <stdlib.h>

typedef struct { INDEX* diagonal; INDEX* number; uint32_t mask; } Table;

static int ascending(const void* a, const void* b) {
  const INDEX x = *(const INDEX*)a, y = *(const INDEX*)b;
  return (x > y) - (x < y);
}

/* The place of a diagonal in the table, or a free one, which holds -1. */
static uint32_t place_of(Table table, INDEX diagonal) {
  uint32_t place = (uint32_t)diagonal * 2654435769u >> 7 & table.mask;
  while (table.diagonal[place] >= 0 && table.diagonal[place] != diagonal) place = place + 1 & table.mask;
  return place;
}

/* The same for runs: an entry's slot is the number of its diagonal where the slice has a slot for each (it is aligned),
   else its number in the row. first: for each slot, the first of its columns where they follow one another, else -1.
   Slots of aligned slices get columns that do where these lie inside the matrix. Each thread's scratch: a table of
   `places` diagonals, a power of 2, and their numbers, and as many found. */
int32_t fill_runs(int64_t parts, int64_t rows, int64_t height, int64_t columns, int64_t places,
                  const INDEX* restrict pos, const INDEX* restrict crd, const VALUE* restrict vals,
                  const INDEX* restrict order, const INDEX* restrict starts, const VALUE* restrict fill,
                  INDEX* restrict to_crd, VALUE* restrict to_vals, INDEX* restrict to_first, INDEX* scratch) {
  const int64_t slices = (rows + height - 1) / height;
  #pragma omp parallel num_threads(parts)
  {
    INDEX* const own = scratch + omp_get_thread_num() * 3 * places;
    INDEX* const found = own + 2 * places;
    #pragma omp for schedule(dynamic, 64)
    for (int64_t s = 0; s < slices; s++) {
      const int64_t width = starts[s + 1] - starts[s], last = (s + 1) * height - 1;
      const int64_t end = last < rows ? last + 1 : rows;
      if (width == 0) continue;
      INDEX* const at_crd = to_crd + starts[s] * height;
      VALUE* const at_vals = to_vals + starts[s] * height;
      INDEX* const at_first = to_first + starts[s];
      uint32_t size = 2;
      while (size < 2 * width) size *= 2;
      const Table table = {own, own + places, size - 1};
      memset(table.diagonal, -1, size * sizeof(INDEX));
      int64_t count = 0;
      int aligned = 1;
      for (int64_t place = s * height; place < end && aligned; place++) {
        const int64_t r = order ? order[place] : place;
        for (INDEX p = pos[r]; p < pos[r + 1]; p++) {
          const INDEX d = crd[p] + (INDEX)(last - place);
          const uint32_t at = place_of(table, d);
          if (table.diagonal[at] >= 0) continue;
          if (count == width) {
            aligned = 0;
            break;
          }
          table.diagonal[at] = found[count++] = d;
        }
      }
      if (aligned) {
        qsort(found, count, sizeof(INDEX), ascending);
        for (int64_t k = 0; k < count; k++) table.number[place_of(table, found[k])] = (INDEX)k;
      }
      for (int64_t k = 0; k < width * height; k++) at_crd[k] = (INDEX)columns, at_vals[k] = *fill;
      for (int64_t place = s * height; place < end; place++) {
        const int64_t r = order ? order[place] : place;
        for (INDEX p = pos[r]; p < pos[r + 1]; p++) {
          const int64_t k = aligned ? table.number[place_of(table, crd[p] + (INDEX)(last - place))] : p - pos[r];
          at_crd[k * height + place - s * height] = crd[p];
          at_vals[k * height + place - s * height] = vals[p];
        }
      }
      for (int64_t k = 0; k < width; k++) {
        INDEX* const slot = at_crd + k * height;
        int follow = slot[0] + height - 1 < columns;
        for (int64_t inside = 1; inside < height; inside++) follow &= slot[inside] == slot[0] + inside;
        at_first[k] = follow ? slot[0] : -1;
        if (follow || !aligned || last >= rows) continue;
        int64_t start = columns;
        for (int64_t inside = 0; inside < height; inside++)
          if (slot[inside] < columns && slot[inside] - inside < start) start = slot[inside] - inside;
        if (start < 0 || start + height > columns) continue;
        at_first[k] = (INDEX)start;
        for (int64_t inside = 0; inside < height; inside++) slot[inside] = (INDEX)(start + inside);
      }
    }
  }
  return 0;
}
"""
_THREAD = """
#ifdef _OPENMP
int omp_get_thread_num(void);
#else
static int omp_get_thread_num(void) { return 0; }
#endif
"""


@dataclass(frozen=True, slots=True, eq=False)
class Sliced:
    """``starts`` of the slices, in slots, and the ``widest`` of them; ``order`` is the row at each place, None where
    they are as they were."""

    starts: Array
    widest: int
    slots: int
    order: Array | None


def sliced(pos: Array, crd: Array, columns: int, height: int, window: int | None) -> Sliced | None:
    """How wide slices of ``height`` rows are, sorted by their entries in windows of so many. None for few entries, and
    where there is no C compiler."""
    index, rows = crd.dtype.name, pos.size - 1
    call = native_helpers.moving(_THREAD + _WIDTHS, "widths", 8, index) if crd.size >= _LEAST else None
    if call is None:
        return None
    most = min(columns, int(crd.size)) if window is not None else 0
    parts = native_helpers.threads(max(rows, crd.size))
    order = None if window is None else buffers.empty(rows, index)
    starts, total = buffers.empty(-(-rows // height) + 1, index), np.empty(2, np.int64)
    # Of this much memory only what the longest rows need is ever touched.
    counts = np.empty(parts * (most + 1), index)
    sizes = (parts, rows, height, window or height, most)
    arrays = (pos, order, starts, counts, total)
    call(*map(library.dimension, sizes), *map(_pointer, arrays))
    return Sliced(starts, int(total[1]), int(total[0]), order)


def filled(
    found: Sliced,
    pos: Array,
    crd: Array,
    values: Array,
    columns: int,
    height: int,
    fill: int | float | bool,
    runs: bool,
) -> tuple[Array, Array, Array | None] | None:
    """The coordinates and values of the slots, and where their runs start, with ``runs`` alone. ``columns`` and
    ``fill`` stand where nothing is stored. None where the slots are too many for the dtype of ``crd``."""
    count, index, rows = found.slots * height, crd.dtype.name, pos.size - 1
    name, text = ("fill_runs", _THREAD + _RUNS) if runs else ("fill", _FILL)
    call = native_helpers.moving(text, name, values.itemsize, index)
    if call is None or max(count, columns + height) > np.iinfo(index).max:
        return None
    parts = native_helpers.threads(max(rows, count))
    to_crd, to_vals = buffers.empty(count, index), buffers.empty(count, values.dtype.name)
    background = np.array([fill], values.dtype)
    given = (pos, crd, values, found.order, found.starts, background, to_crd, to_vals)
    if not runs:
        call(*map(library.dimension, (parts, rows, height, columns)), *map(_pointer, given))
        return to_crd, to_vals, None
    places = 1 << max(2 * found.widest - 1, 1).bit_length()
    first, scratch = buffers.empty(found.slots, index), np.empty(parts * 3 * places, index)
    sizes = (parts, rows, height, columns, places)
    call(*map(library.dimension, sizes), *map(_pointer, (*given, first, scratch)))
    return to_crd, to_vals, first


def _pointer(array: Array | None) -> Any:
    return None if array is None else library.pointer(array)
