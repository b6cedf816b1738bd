"""Entries into compressed rows, by compiled C: a stable radix sort that first brings ranges of rows together, so that
what follows stays in the cache. Threads share the entries, then the ranges; what comes out is the same for any number
of threads."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from compiler.runtime.memory import buffers
from compiler.runtime.memory.allocation_limit import require_values
from compiler.runtime.native import library, native_helpers

Array = NDArray[Any]
Rows = tuple[Array, Array, Array]
"""``pos``, ``crd`` and values."""

ROW_OF = """
/* The row of an entry. */
static int64_t row_of(int64_t rows, const INDEX* pos, int64_t entry) {
  int64_t low = 0, high = rows;
  while (low < high) {
    const int64_t middle = (low + high) / 2;
    if (pos[middle + 1] > entry) high = middle;
    else low = middle + 1;
  }
  return low;
}
"""
"""C for cutting rows in parts of equally many entries."""
FIRST_PLACES = """
/* Each count becomes the sum of those before it: where its first entry goes. */
static void first_places(int64_t count, INDEX* restrict counts) {
  INDEX sum = 0;
  for (int64_t k = 0; k < count; k++) {
    const INDEX here = counts[k];
    counts[k] = sum;
    sum += here;
  }
}
"""
"""C for putting entries where they belong, once they are counted."""
_SORT = (
    ROW_OF
    + FIRST_PLACES
    + """
enum { BUCKETS = 512, BUCKET_ENTRIES = 16384, FEW_ENTRIES = 32768, CACHED_ENTRIES = 1 << 18, LARGEST_DIGIT = 2048,
       LANES = 16, SHORT_ROW = 32, LINE = 64 };

typedef INDEX Lanes __attribute__((vector_size(LANES * sizeof(INDEX))));

typedef struct { INDEX* restrict row; INDEX* restrict column; VALUE* restrict values; } Entries;

static int ascending(const INDEX* crd, INDEX count) {
  for (INDEX p = 1; p < count; p++)
    if (crd[p - 1] > crd[p]) return 0;
  return 1;
}

/* Whether a column comes twice in one of the rows, of which the first begins at `start`; they are in order. */
static int repeats(const INDEX* ends, const INDEX* crd, INDEX start, int64_t count) {
  int found = 0;
  for (int64_t r = 0; r < count; start = ends[r++])
    for (INDEX p = start + 1; p < ends[r]; p++) found |= crd[p - 1] == crd[p];
  return found;
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
static void by_column(Entries bucket, Entries other, INDEX begin, INDEX end, int64_t columns) {
  const int width = bits(columns - 1);
  int passes = 2;
  while (1 << (width + passes - 1) / passes > LARGEST_DIGIT) passes += 2;
  const int step = (width + passes - 1) / passes;
  for (int pass = 0; pass < passes; pass += 2) {
    by_digit(bucket, other, begin, end, pass * step, (1 << step) - 1);
    by_digit(other, bucket, begin, end, (pass + 1) * step, (1 << step) - 1);
  }
}

/* Stable, for at most SHORT_ROW entries: the place of each is the number of those that belong before it. */
static void order(INDEX* restrict crd, VALUE* restrict vals, INDEX count) {
  INDEX columns[SHORT_ROW] = {0}, places[SHORT_ROW];
  VALUE values[SHORT_ROW];
  for (INDEX p = 0; p < count; p++) columns[p] = crd[p], values[p] = vals[p];
  for (INDEX first = 0; first < count; first += LANES) {
    Lanes own, number, before = {0};
    for (INDEX lane = 0; lane < LANES; lane++) number[lane] = first + lane;
    memcpy(&own, columns + first, sizeof own);
    for (INDEX p = 0; p < count; p++) before -= (own > columns[p]) | ((own == columns[p]) & (number > p));
    memcpy(places + first, &before, sizeof before);
  }
  for (INDEX p = 0; p < count; p++) crd[places[p]] = columns[p], vals[places[p]] = values[p];
}

/* The entries [start, end) into the rows [first, last), to which they belong, in `to`. They may be moved
   about, but in `room` where that is given. Returns 1 where coordinates repeat, unless the entries are `ordered` by
   columns. */
static int into_rows(Entries from, const Entries* room, Entries to, int ordered, int64_t columns, int64_t first,
                     int64_t last, INDEX start, INDEX end, INDEX* restrict pos) {
  /* pos[r + 1] counts row r, then says where its next entry goes, and so at last where it ends. */
  memset(pos + first + 1, 0, (last - first) * sizeof(INDEX));
  for (INDEX p = start; p < end; p++) pos[from.row[p] + 1]++;
  INDEX sum = start, longest = 0;
  for (int64_t r = first; r < last; r++) {
    const INDEX here = pos[r + 1];
    pos[r + 1] = sum;
    sum += here;
    if (here > longest) longest = here;
  }
  const int unordered = !ordered && !ascending(from.column + start, end - start);
  if (unordered && longest > SHORT_ROW) {
    if (room) {
      memcpy(room->row + start, from.row + start, (end - start) * sizeof(INDEX));
      memcpy(room->column + start, from.column + start, (end - start) * sizeof(INDEX));
      memcpy(room->values + start, from.values + start, (end - start) * sizeof(VALUE));
      from = *room;
    }
    by_column(from, to, start, end, columns);
  }
  for (INDEX p = start; p < end; p++) {
    const INDEX place = pos[from.row[p] + 1]++;
    to.column[place] = from.column[p], to.values[place] = from.values[p];
  }
  if (unordered && longest <= SHORT_ROW)
    for (int64_t r = first; r < last; r++) {
      const INDEX begin = r == first ? start : pos[r];
      if (pos[r + 1] - begin > 1) order(to.column + begin, to.values + begin, pos[r + 1] - begin);
    }
  return !ordered && repeats(pos + first + 1, to.column, start, last - first);
}

/* Entries that stay in the cache, on one thread: their numbers by column first, then the entries themselves by row.
   next has room for the columns, numbers for the entries. Returns 1 where coordinates repeat. */
static int by_numbers(int64_t count, int64_t rows, int64_t columns, const INDEX* restrict row,
                      const INDEX* restrict column, const VALUE* restrict values, INDEX* restrict pos,
                      INDEX* restrict crd, VALUE* restrict vals, INDEX* restrict next, INDEX* restrict numbers) {
  INDEX* restrict ends = pos + 1;
  memset(next, 0, columns * sizeof(INDEX));
  memset(ends, 0, rows * sizeof(INDEX));
  for (int64_t e = 0; e < count; e++) next[column[e]]++, ends[row[e]]++;
  first_places(columns, next);
  first_places(rows, ends);
  for (int64_t e = 0; e < count; e++) numbers[next[column[e]]++] = (INDEX)e;
  for (int64_t k = 0; k < count; k++) {
    const INDEX e = numbers[k], place = ends[row[e]]++;
    crd[place] = column[e], vals[place] = values[e];
  }
  /* Neighbours of the same column, but for those where a row ends. */
  int64_t same = 0;
  for (int64_t p = 1; p < count; p++) same += crd[p - 1] == crd[p];
  INDEX begin = 0;
  for (int64_t r = 0; same && r < rows && ends[r] < count; begin = ends[r++])
    same -= ends[r] > begin && crd[ends[r] - 1] == crd[ends[r]];
  return same > 0;
}

/* Room for `bytes` at *at, which moves on by whole lines of the cache. */
static void* taken(char** at, int64_t bytes) {
  void* here = *at;
  *at += (bytes + LINE - 1) / LINE * LINE;
  return here;
}

/* A bucket is a range of 1 << shift rows; few entries are one bucket. scratch has room for the entries, once more for
   their rows, and for BUCKETS indices of each of the parts into which the entries are cut: where their next entry of a
   bucket goes. column is NULL where the entries themselves are rows, with `from_pos`: their columns then are the
   numbers of these. Returns 1 where coordinates repeat. */
int32_t sort(int64_t parts, int64_t count, int64_t rows, int64_t columns, const INDEX* restrict from_pos,
             const INDEX* restrict row, const INDEX* restrict column, const VALUE* restrict values,
             INDEX* restrict pos, INDEX* restrict crd, VALUE* restrict vals, char* scratch) {
  INDEX* restrict next = taken(&scratch, parts * BUCKETS * sizeof(INDEX));
  INDEX* restrict row_in = taken(&scratch, count * sizeof(INDEX));
  INDEX* restrict column_in = taken(&scratch, count * sizeof(INDEX));
  VALUE* restrict values_in = taken(&scratch, count * sizeof(VALUE));
  const Entries bucketed = {row_in, column_in, values_in}, other = {taken(&scratch, count * sizeof(INDEX)), crd, vals};
  pos[0] = 0;
  if (column && parts == 1 && count <= CACHED_ENTRIES && rows <= 2 * count && columns <= 2 * count)
    return by_numbers(count, rows, columns, row, column, values, pos, crd, vals, row_in, row_in + columns);
  if (column && count <= FEW_ENTRIES && rows <= 2 * FEW_ENTRIES) {
    const Entries given = {(INDEX*)row, (INDEX*)column, (VALUE*)values};
    return into_rows(given, &bucketed, other, 0, columns, 0, rows, 0, (INDEX)count, pos);
  }
  int shift = 0;
  while ((rows - 1) >> shift >= BUCKETS || (shift < bits(rows) && (rows >> shift) * BUCKET_ENTRIES > 2 * count))
    shift++;
  INDEX begin[BUCKETS + 1];
  int repeated = 0;
  #pragma omp parallel num_threads(parts)
  {
    #pragma omp for schedule(static, 1)
    for (int64_t part = 0; part < parts; part++) {
      INDEX own[BUCKETS] = {0};
      for (int64_t e = count * part / parts; e < count * (part + 1) / parts; e++) own[row[e] >> shift]++;
      memcpy(next + part * BUCKETS, own, sizeof own);
    }
    #pragma omp single
    {
      INDEX sum = 0;
      for (int64_t b = 0; b < BUCKETS; b++) {
        begin[b] = sum;
        for (int64_t part = 0; part < parts; part++) {
          const INDEX here = next[part * BUCKETS + b];
          next[part * BUCKETS + b] = sum;
          sum += here;
        }
      }
      begin[BUCKETS] = sum;
    }
    #pragma omp for schedule(static, 1)
    for (int64_t part = 0; part < parts; part++) {
      const int64_t stop = count * (part + 1) / parts;
      int64_t e = count * part / parts;
      INDEX own[BUCKETS];
      memcpy(own, next + part * BUCKETS, sizeof own);
      if (column)
        for (; e < stop; e++) {
          const INDEX here = row[e], place = own[here >> shift]++;
          row_in[place] = here, column_in[place] = column[e], values_in[place] = values[e];
        }
      else
        for (int64_t c = row_of(columns, from_pos, e); e < stop; c++)
          for (const int64_t end = from_pos[c + 1] < stop ? from_pos[c + 1] : stop; e < end; e++) {
            const INDEX here = row[e], place = own[here >> shift]++;
            row_in[place] = here, column_in[place] = (INDEX)c, values_in[place] = values[e];
          }
    }
    #pragma omp for schedule(dynamic, 1) reduction(| : repeated)
    for (int64_t number = 0; number < ((rows - 1) >> shift) + 1; number++) {
      const int64_t first = number << shift, last = (number + 1) << shift < rows ? (number + 1) << shift : rows;
      const INDEX start = begin[number], end = begin[number + 1];
      repeated |= into_rows(bucketed, NULL, other, !column, columns, first, last, start, end, pos);
    }
  }
  return repeated;
}
"""
)
_BUCKETS = 512


def sorted_rows(rows: Array, columns: Array, values: Array, shape: tuple[int, int]) -> tuple[Rows, bool] | None:
    """``pos``, ``crd`` and values of the compressed rows of a matrix of that ``shape``, and whether coordinates repeat:
    columns ascend in each row, and entries with equal coordinates stay in the order in which they came. None where
    there is no C compiler.

    Args:
        rows, columns: coordinates of the entries, of one dtype (int32 or int64), which the answer has, too.
        values: of any dtype of up to 16 bytes.

    Raises:
        CompileError: ``runtime/too-large``.
    """
    given = [np.ascontiguousarray(array) for array in (rows, columns, values)]
    return _sorted(None, given[0], given[1], given[2], shape)


def sorted_transpose(pos: Array, crd: Array, values: Array, columns: int) -> Rows | None:
    """The compressed rows of the transposed matrix, which has ``columns`` of them, from rows in order."""
    made = _sorted(pos, crd, None, values, (columns, pos.size - 1))
    return None if made is None else made[0]


def _sorted(
    from_pos: Array | None, rows: Array, columns: Array | None, values: Array, shape: tuple[int, int]
) -> tuple[Rows, bool] | None:
    index, count = "int32" if rows.itemsize == 4 else "int64", values.size
    sort = native_helpers.moving(_SORT, "sort", values.itemsize, index)
    if sort is None:
        return None
    require_values(shape[0] + 1, index, "the pos array")
    parts = native_helpers.threads(count)
    pos, crd, vals = buffers.together((shape[0] + 1, rows.dtype), (count, rows.dtype), (count, values.dtype))
    room = (parts * _BUCKETS + 3 * count) * rows.itemsize + count * values.itemsize + 5 * buffers.ALIGNMENT
    arrays = (from_pos, rows, columns, values, pos, crd, vals, buffers.empty(room, "uint8"))
    sizes = map(library.dimension, (parts, count, *shape))
    repeated = sort(*sizes, *(None if array is None else library.pointer(array) for array in arrays))
    return (pos, crd, vals), bool(repeated)
