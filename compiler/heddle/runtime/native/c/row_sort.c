#include <stdint.h>
#include <string.h>

#include "rows.h"

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
  int repeated = 0;
  for (int64_t r = 0; r < count; start = ends[r++])
    for (INDEX p = start + 1; p < ends[r]; p++) repeated |= crd[p - 1] == crd[p];
  return repeated;
}

static int bits(int64_t number) {
  int count = 0;
  for (; number > 0; number >>= 1) count++;
  return count;
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
    Lanes lanes, number, before = {0};
    for (INDEX lane = 0; lane < LANES; lane++) number[lane] = first + lane;
    memcpy(&lanes, columns + first, sizeof lanes);
    for (INDEX p = 0; p < count; p++) before -= (lanes > columns[p]) | ((lanes == columns[p]) & (number > p));
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
  memset(pos + first + 1, 0, (size_t)(last - first) * sizeof(INDEX));
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
      const size_t count = (size_t)(end - start);
      memcpy(room->row + start, from.row + start, count * sizeof(INDEX));
      memcpy(room->column + start, from.column + start, count * sizeof(INDEX));
      memcpy(room->values + start, from.values + start, count * sizeof(VALUE));
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
  memset(next, 0, (size_t)columns * sizeof(INDEX));
  memset(ends, 0, (size_t)rows * sizeof(INDEX));
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

/* Room for `count` elements of `size` bytes at *at, which moves on by whole lines of the cache. */
static void* taken(char** at, int64_t count, size_t size) {
  void* here = *at;
  *at += ((size_t)count * size + LINE - 1) / LINE * LINE;
  return here;
}

/* A bucket is a range of 1 << shift rows; few entries are one bucket. scratch has room for the entries, once more for
   their rows, and for BUCKETS indices of each of the parts into which the entries are cut: where their next entry of a
   bucket goes. column is NULL where the entries themselves are rows, with `from_pos`: their columns then are the
   numbers of these. Returns 1 where coordinates repeat. */
int32_t sort(int64_t parts, int64_t count, int64_t rows, int64_t columns, const INDEX* restrict from_pos,
             const INDEX* restrict row, const INDEX* restrict column, const VALUE* restrict values,
             INDEX* restrict pos, INDEX* restrict crd, VALUE* restrict vals, char* scratch) {
  INDEX* restrict next = taken(&scratch, parts * BUCKETS, sizeof(INDEX));
  INDEX* restrict row_in = taken(&scratch, count, sizeof(INDEX));
  INDEX* restrict column_in = taken(&scratch, count, sizeof(INDEX));
  VALUE* restrict values_in = taken(&scratch, count, sizeof(VALUE));
  const Entries bucketed = {row_in, column_in, values_in}, other = {taken(&scratch, count, sizeof(INDEX)), crd, vals};
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
      INDEX next_of_part[BUCKETS] = {0};
      for (int64_t e = count * part / parts; e < count * (part + 1) / parts; e++) next_of_part[row[e] >> shift]++;
      memcpy(next + part * BUCKETS, next_of_part, sizeof next_of_part);
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
      INDEX next_of_part[BUCKETS];
      memcpy(next_of_part, next + part * BUCKETS, sizeof next_of_part);
      if (column)
        for (; e < stop; e++) {
          const INDEX here = row[e], place = next_of_part[here >> shift]++;
          row_in[place] = here, column_in[place] = column[e], values_in[place] = values[e];
        }
      else
        for (int64_t c = row_of(columns, from_pos, e); e < stop; c++)
          for (const int64_t end = from_pos[c + 1] < stop ? from_pos[c + 1] : stop; e < end; e++) {
            const INDEX here = row[e], place = next_of_part[here >> shift]++;
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
