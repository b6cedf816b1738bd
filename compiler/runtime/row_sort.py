"""Entries into compressed rows, by compiled C: a stable radix sort that first brings ranges of rows together, so that
what follows stays in the cache."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from compiler.runtime import buffers, library, own_c
from compiler.runtime.memory import require_values

Array = NDArray[Any]
Rows = tuple[Array, Array, Array]
"""``pos``, ``crd`` and values."""

_SORT = """
enum { MOST_PARTS = 512, PART_ENTRIES = 16384, LARGEST_DIGIT = 2048 };

typedef struct { INDEX* restrict row; INDEX* restrict column; VALUE* restrict values; } Entries;

static int ascending(const INDEX* crd, INDEX count) {
  for (INDEX p = 1; p < count; p++)
    if (crd[p - 1] > crd[p]) return 0;
  return 1;
}

static int bits(int64_t number) {
  int found = 0;
  for (; number > 0; number >>= 1) found++;
  return found;
}

/* Stable, by one digit of the column. */
static void by_digit(Entries from, Entries to, INDEX begin, INDEX end, int shift, int64_t mask) {
  INDEX next[LARGEST_DIGIT + 1] = {0};
  for (INDEX p = begin; p < end; p++) next[(from.column[p] >> shift & mask) + 1]++;
  next[0] = begin;
  for (int64_t digit = 0; digit <= mask; digit++) next[digit + 1] += next[digit];
  for (INDEX p = begin; p < end; p++) {
    const INDEX place = next[from.column[p] >> shift & mask]++;
    to.row[place] = from.row[p], to.column[place] = from.column[p], to.values[place] = from.values[p];
  }
}

/* The digits of the columns are even in number: the entries end where they began. */
static void by_column(Entries part, Entries other, INDEX begin, INDEX end, int64_t columns) {
  const int width = bits(columns - 1);
  int passes = 2;
  while (1 << (width + passes - 1) / passes > LARGEST_DIGIT) passes += 2;
  const int step = (width + passes - 1) / passes;
  for (int pass = 0; pass < passes; pass += 2) {
    by_digit(part, other, begin, end, pass * step, (1 << step) - 1);
    by_digit(other, part, begin, end, (pass + 1) * step, (1 << step) - 1);
  }
}

int32_t sort(int64_t count, int64_t rows, int64_t columns, INDEX* row, INDEX* column, VALUE* values, INDEX* pos,
             INDEX* crd, VALUE* vals, INDEX* part_row, INDEX* part_column, VALUE* part_values, INDEX* other_row) {
  const Entries given = {row, column, values}, part = {part_row, part_column, part_values};
  const Entries other = {other_row, crd, vals};
  int shift = 0;
  while ((rows - 1) >> shift >= MOST_PARTS || (shift < bits(rows) && (rows >> shift) * PART_ENTRIES > 2 * count))
    shift++;
  INDEX ends[MOST_PARTS + 1] = {0};
  for (int64_t e = 0; e < count; e++) ends[(row[e] >> shift) + 1]++;
  for (int64_t p = 0; p < MOST_PARTS; p++) ends[p + 1] += ends[p];
  for (int64_t e = 0; e < count; e++) {
    const INDEX place = ends[given.row[e] >> shift]++;
    part.row[place] = given.row[e], part.column[place] = given.column[e], part.values[place] = given.values[e];
  }
  INDEX begin = 0;
  pos[0] = 0;
  for (int64_t number = 0; number << shift < rows; number++) {
    const int64_t first = number << shift, last = (number + 1) << shift < rows ? (number + 1) << shift : rows;
    const INDEX end = ends[number];
    if (!ascending(part.column + begin, end - begin)) by_column(part, other, begin, end, columns);
    /* pos[r + 1] counts row r, then says where its next entry goes, and so at last where it ends. */
    memset(pos + first + 1, 0, (last - first) * sizeof(INDEX));
    for (INDEX p = begin; p < end; p++) pos[part.row[p] + 1]++;
    INDEX next = begin;
    for (int64_t r = first; r < last; r++) {
      const INDEX here = pos[r + 1];
      pos[r + 1] = next;
      next += here;
    }
    for (INDEX p = begin; p < end; p++) {
      const INDEX place = pos[part.row[p] + 1]++;
      crd[place] = part.column[p], vals[place] = part.values[p];
    }
    begin = end;
  }
  return 0;
}
"""
_UNFOLD = """
int32_t unfold(int64_t rows, const INDEX* restrict pos, INDEX* restrict row) {
  for (int64_t r = 0; r < rows; r++)
    for (INDEX p = pos[r]; p < pos[r + 1]; p++) row[p] = (INDEX)r;
  return 0;
}
"""


def sorted_rows(
    rows: Array, columns: Array, values: Array, shape: tuple[int, int]
) -> tuple[Array, Array, Array] | None:
    """``pos``, ``crd`` and values of the compressed rows of a matrix of that ``shape``: columns ascend in each row, and
    entries with equal coordinates stay in the order in which they came. None where there is no C compiler.

    Args:
        rows, columns: coordinates of the entries, of one dtype (int32 or int64), which the answer has, too.
        values: of any dtype of up to 16 bytes.

    Raises:
        CompileError: ``runtime/too-large``.
    """
    index, dtype = rows.dtype.name, values.dtype.name
    sort = own_c.moving(_SORT, "sort", values.itemsize, index)
    if sort is None:
        return None
    given = [np.ascontiguousarray(array) for array in (rows, columns, values)]
    pos = np.empty(require_values(shape[0] + 1, index, "the pos array"), index)
    sizes = [library.dimension(size) for size in (values.size, *shape)]
    made = [buffers.empty(values.size, kind) for kind in (index, dtype)]
    scratch = [buffers.empty(values.size, kind) for kind in (index, index, dtype, index)]
    sort(*sizes, *(library.pointer(array) for array in (*given, pos, *made, *scratch)))
    return pos, made[0], made[1]


def transposed(pos: Array, crd: Array, values: Array, columns: int) -> Rows | None:
    """The same for compressed rows in order: those of the transposed matrix, which has ``columns`` rows."""
    index, rows = pos.dtype.name, pos.size - 1
    unfold = own_c.moving(_UNFOLD, "unfold", values.itemsize, index)
    if unfold is None:
        return None
    row = buffers.empty(crd.size, index)
    unfold(library.dimension(rows), library.pointer(pos), library.pointer(row))
    return sorted_rows(crd, row, values, (columns, rows))
