#include <stdint.h>
#include <string.h>

/* What is wrong with compressed rows; bits of the answer of `check_rows`. */
enum { BROKEN_POSITIONS = 1, OUTSIDE = 2, OUT_OF_ORDER = 4 };

/* Rows whose positions, and entries whose coordinates, are looked at in one go: both stay in the first cache. */
enum { ROWS = 256, ENTRIES = 4096 };

/* As wide as an INDEX, without a sign: what overflows there wraps around. */
typedef __typeof__(_Generic((INDEX)0, int32_t: (uint32_t)0, int64_t: (uint64_t)0)) UINDEX;

#define SIGN ((UINDEX)1 << (8 * sizeof(INDEX) - 1))

/* What entries have shown so far: `outside` has its sign where a coordinate lies outside, `falls` is not 0 where one does
   not exceed that before it in its row. inner[k]: -1 for an entry that has one before it in its row. */
struct seen {
  UINDEX outside;
  INDEX falls;
  signed char inner[ENTRIES];
};

/* Coordinates up to `last` are not negative, and neither is what is missing up to it: one sign tells both, and unlike
   unsigned comparisons that takes vectors on every machine. Leaves `inner` as it is for rows without a start. */
static void look_at_entries(int64_t count, UINDEX last, const INDEX* restrict crd, struct seen* restrict seen) {
  UINDEX outside = 0;
  INDEX falls = 0;
  signed char* restrict inner = seen->inner;
  for (int64_t k = 0; k < count; k++) {
    outside |= (UINDEX)crd[k] | (last - (UINDEX)crd[k]);
    falls |= -(INDEX)(crd[k] <= crd[k - 1]) & inner[k];
    inner[k] = -1;
  }
  seen->outside |= outside, seen->falls |= falls;
}

/* The entries that rows start with, counted from entry `base`, have none before them. */
static void mark_starts(int64_t begin, int64_t end, INDEX base, const INDEX* restrict pos, signed char* restrict inner) {
  #pragma GCC unroll 8
  for (int64_t r = begin; r < end; r++) inner[pos[r] - base] = 0;
}

/* Whether the positions from `begin` to `end` ascend and lie between 0 and `count`. */
static int are_positions(int64_t begin, int64_t end, int64_t count, const INDEX* restrict pos) {
  UINDEX bits = (UINDEX)pos[begin];
  for (int64_t r = begin; r < end; r++) bits |= ((UINDEX)pos[r + 1] - (UINDEX)pos[r]) | (UINDEX)pos[r + 1];
  return !(bits & SIGN) && pos[end] <= count;
}

/* The first of the rows that starts at entry `stop` or behind it: mostly none does. */
static int64_t first_behind(int64_t begin, int64_t end, int64_t stop, const INDEX* restrict pos) {
  if (begin == end || pos[end - 1] < stop) return end;
  while (begin < end) {
    const int64_t middle = begin + (end - begin) / 2;
    if (pos[middle] >= stop) end = middle;
    else begin = middle + 1;
  }
  return begin;
}

/* The rows [row, row_end), and the entries [entry, entry_end), the first of which may belong to a row before, the last
   ones to row_end; false where positions are broken. */
static int look_at_part(int64_t row, int64_t row_end, int64_t entry, int64_t entry_end, int64_t rows, int64_t count,
                        UINDEX last, const INDEX* pos, const INDEX* crd, struct seen* seen) {
  const int64_t used = entry_end - entry < ENTRIES ? entry_end - entry : ENTRIES;
  memset(seen->inner, -1, (size_t)(used > 0 ? used : 0));
  int64_t start = row;
  do {
    const int64_t row_stop = row_end - row > ROWS ? row + ROWS : row_end, ends = row_stop == row_end;
    if (!are_positions(row, row_stop, count, pos)) return 0;
    const int64_t starts = ends && row_end < rows ? row_stop + 1 : row_stop;
    const int64_t here = ends || pos[row_stop] > entry_end ? entry_end : pos[row_stop];
    while (start < starts && pos[start] < entry) start++;
    while (entry < here) {
      const int64_t stop = here - entry > ENTRIES ? entry + ENTRIES : here;
      const int64_t next = first_behind(start, starts, stop, pos);
      mark_starts(start, next, (INDEX)entry, pos, seen->inner);
      look_at_entries(stop - entry, last, crd + entry, seen);
      start = next, entry = stop;
    }
    row = row_stop;
  } while (row < row_end);
  return 1;
}

/* How many rows end before rows and entries together are more than `both`: at least `low`, also where positions do not
   ascend, so that every row belongs to a part. */
static int64_t rows_before(int64_t both, int64_t low, int64_t rows, const INDEX* pos) {
  int64_t high = rows;
  while (low < high) {
    const int64_t middle = low + (high - low) / 2;
    if ((int64_t)pos[middle + 1] + middle + 1 > both) high = middle;
    else low = middle + 1;
  }
  return low;
}

/* The same, in `parts` of as many rows and entries each, all at once. */
static int look_at_parts(int64_t parts, int64_t rows, int64_t count, UINDEX last, const INDEX* pos, const INDEX* crd,
                         struct seen* seen) {
  int64_t first_row[parts + 1], first_entry[parts + 1];
  first_row[0] = 0, first_entry[0] = count > 0;
  for (int64_t part = 1; part <= parts; part++) {
    const int64_t both = (rows + count) / parts * part, least = first_entry[part - 1];
    const int64_t row = part < parts ? rows_before(both, first_row[part - 1], rows, pos) : rows;
    const int64_t entry = part < parts ? both - row : count;
    first_row[part] = row, first_entry[part] = entry < least ? least : entry < count ? entry : count;
  }
  UINDEX outside = 0;
  INDEX falls = 0;
  int32_t broken = 0;
  #pragma omp parallel for num_threads(parts) schedule(static, 1) reduction(| : broken, outside, falls)
  for (int64_t part = 0; part < parts; part++) {
    struct seen own;
    own.outside = 0, own.falls = 0;
    broken |= !look_at_part(first_row[part], first_row[part + 1], first_entry[part], first_entry[part + 1], rows, count,
                            last, pos, crd, &own);
    outside |= own.outside, falls |= own.falls;
  }
  seen->outside |= outside, seen->falls |= falls;
  return !broken;
}

/* Looks once at `rows` rows of `count` coordinates below `size`. No entry is before the first one. */
int32_t check_rows(int64_t parts, int64_t rows, int64_t size, int64_t count, const INDEX* pos, const INDEX* crd) {
  const int64_t most = (int64_t)(SIGN - 1);
  const UINDEX last = (UINDEX)(size - 1 < most ? size - 1 : most);
  if (pos[0] != 0 || pos[rows] != count) return BROKEN_POSITIONS;
  struct seen seen;
  seen.outside = count > 0 ? (UINDEX)crd[0] | (last - (UINDEX)crd[0]) : 0, seen.falls = 0;
  const int sound = parts > 1 ? look_at_parts(parts, rows, count, last, pos, crd, &seen)
                              : look_at_part(0, rows, count > 0, count, rows, count, last, pos, crd, &seen);
  if (!sound) return BROKEN_POSITIONS;
  return (seen.outside & SIGN ? OUTSIDE : 0) | (seen.falls ? OUT_OF_ORDER : 0);
}
