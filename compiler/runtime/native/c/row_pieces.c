#include <stdint.h>

/* Rows are cut where columns reach a multiple of `width`, which makes `ranges` of them, and then every 2^most entries; if
   `whole`, what is longer than that is left out. `last`: how many entries there are in all. */
typedef struct {
  int64_t ranges, width, most, whole, last;
  uint64_t factor; /* times a column, shifted by `shift`: the column by the width, where columns have 32 bits */
  int shift;
} Cut;

enum {
  AT_ONCE = 16,    /* entries that are compared with the end of a range without a loop end to guess */
  FEW_RANGES = 64, /* so many are counted side by side, */
  SPREAD = 4       /* where a row has an entry for so many of them */
};

static Cut cut_at(int64_t ranges, int64_t width, int64_t most, int64_t whole, int64_t last) {
  Cut cut = {ranges, width, most, whole, last, 0, 31};
  while ((uint64_t)1 << (cut.shift - 31) < (uint64_t)width && cut.shift < 62) cut.shift++;
  cut.factor = (((uint64_t)1 << cut.shift) - 1) / (uint64_t)width + 1;
  return cut;
}

static inline int64_t range_of(const Cut* cut, INDEX column) {
  return sizeof(INDEX) == 4 ? (int64_t)((uint64_t)column * cut->factor >> cut->shift) : (int64_t)column / cut->width;
}

/* The bucket of a piece: 2^bucket slots are the fewest that hold it. */
static inline int64_t bucket_of(int64_t length) {
  return length < 2 ? 0 : 64 - __builtin_clzll((unsigned long long)length - 1);
}

/* Where the entries from p on leave their range of columns, which ends at `border`. */
static inline int64_t end_of_range(const Cut* cut, const INDEX* restrict crd, int64_t p, int64_t end, int64_t border) {
  if (crd[end - 1] < border) return end;
  for (; p + AT_ONCE <= cut->last; p += AT_ONCE) {
    int64_t inside = 0;
    for (int64_t next = 0; next < AT_ONCE; next++) inside += (crd[p + next] < border) & (p + next < end);
    if (inside < AT_ONCE) return p + inside;
  }
  while (crd[p] < border) p++;
  return p;
}

/* How many of the entries from p to `end` lie in each range. */
static inline void lengths_of_ranges(const Cut* cut, const INDEX* restrict crd, int64_t p, int64_t end,
                                     int64_t* restrict lengths) {
  for (int64_t range = 0; range < cut->ranges; range++) lengths[range] = 0;
  for (; p < end; p++) lengths[range_of(cut, crd[p])]++;
}

static inline int side_by_side(const Cut* cut, int64_t entries) {
  return cut->ranges > 1 && cut->ranges <= FEW_RANGES && cut->ranges <= SPREAD * entries;
}

/* The pieces of `length` entries of one range; there may be none. */
static inline void count_range(const Cut* cut, int64_t length, int64_t* restrict buckets) {
  const int64_t rest = length & (((int64_t)1 << cut->most) - 1), full = length >> cut->most;
  const int64_t counted = !cut->whole || full == 0;
  buckets[cut->most] += cut->whole ? full == 1 && rest == 0 : full;
  buckets[bucket_of(rest)] += counted && rest != 0;
}

/* How many pieces each task has for each range of columns and bucket. Task t has the rows from first[t] to first[t + 1].
   counts: `ranges` times `most` + 1 of each task, zero. */
int32_t count_pieces(int64_t parts, int64_t tasks, int64_t ranges, int64_t width, int64_t most, int64_t whole,
                     const int64_t* restrict first, const INDEX* restrict pos, const INDEX* restrict crd,
                     int64_t* restrict counts) {
  const Cut cut = cut_at(ranges, width, most, whole, pos[first[tasks]]);
  #pragma omp parallel for schedule(dynamic, 1) num_threads(parts)
  for (int64_t t = 0; t < tasks; t++) {
    int64_t* const own = counts + t * ranges * (most + 1);
    int64_t lengths[FEW_RANGES];
    for (int64_t row = first[t]; row < first[t + 1]; row++) {
      int64_t p = pos[row];
      const int64_t end = pos[row + 1];
      if (ranges == 1) {
        count_range(&cut, end - p, own);
      } else if (side_by_side(&cut, end - p)) {
        lengths_of_ranges(&cut, crd, p, end, lengths);
        for (int64_t range = 0; range < ranges; range++) count_range(&cut, lengths[range], own + range * (most + 1));
      } else {
        while (p < end) {
          const int64_t range = range_of(&cut, crd[p]), to = end_of_range(&cut, crd, p, end, (range + 1) * width);
          count_range(&cut, to - p, own + range * (most + 1));
          p = to;
        }
      }
    }
  }
  return 0;
}

/* Where pieces are written to. Bucket b has the row of each piece in rows[b], and its slots in to_crd[b] and to_vals[b];
   unused ones get `padding` and the fill. */
typedef struct {
  const INDEX* crd;
  const VALUE* vals;
  INDEX* const* rows;
  INDEX* const* to_crd;
  VALUE* const* to_vals;
  INDEX padding;
  VALUE fill;
} Move;

/* Writes one piece of `length` entries in `slots` slots. All slots are read, those behind the piece in vain. */
static inline void write_slots(int64_t length, int64_t slots, INDEX from, INDEX padding, VALUE fill,
                               const INDEX* restrict crd, const VALUE* restrict vals, INDEX* restrict to_crd,
                               VALUE* restrict to_vals) {
  for (int64_t slot = 0; slot < slots; slot++) {
    const INDEX column = crd[slot] - from;
    to_crd[slot] = slot < length ? column : padding;
  }
  for (int64_t slot = 0; slot < slots; slot++) {
    const VALUE value = vals[slot];
    to_vals[slot] = slot < length ? value : fill;
  }
}

/* The entries from p on, as a piece in a bucket. The numbers of slots that most pieces have are constants, so that their
   copies have no loop ends to guess. */
static inline void write_piece(const Cut* cut, const Move* move, int64_t p, int64_t length, int64_t bucket, INDEX from,
                               int64_t place) {
  const INDEX *const crd = move->crd + p, padding = move->padding;
  const VALUE *const vals = move->vals + p, fill = move->fill;
  INDEX* const to_crd = move->to_crd[bucket] + (place << bucket);
  VALUE* const to_vals = move->to_vals[bucket] + (place << bucket);
  const int64_t slots = (int64_t)1 << bucket;
  if (p + slots > cut->last) {
    int64_t slot = 0;
    for (; slot < length; slot++) to_crd[slot] = crd[slot] - from, to_vals[slot] = vals[slot];
    for (; slot < slots; slot++) to_crd[slot] = padding, to_vals[slot] = fill;
    return;
  }
  switch (bucket) {
    case 0: write_slots(length, 1, from, padding, fill, crd, vals, to_crd, to_vals); break;
    case 1: write_slots(length, 2, from, padding, fill, crd, vals, to_crd, to_vals); break;
    case 2: write_slots(length, 4, from, padding, fill, crd, vals, to_crd, to_vals); break;
    case 3: write_slots(length, 8, from, padding, fill, crd, vals, to_crd, to_vals); break;
    case 4: write_slots(length, 16, from, padding, fill, crd, vals, to_crd, to_vals); break;
    case 5: write_slots(length, 32, from, padding, fill, crd, vals, to_crd, to_vals); break;
    default: write_slots(length, slots, from, padding, fill, crd, vals, to_crd, to_vals);
  }
}

/* The pieces of the entries of one range, from p on; there may be none. `row` and columns are counted as they are stored,
   columns from `from` on. */
static inline void write_range(const Cut* cut, const Move* move, int64_t p, int64_t length, INDEX row, INDEX from,
                               int64_t* restrict places) {
  const int64_t longest = (int64_t)1 << cut->most, end = p + length;
  if (cut->whole && length > longest) return;
  while (p < end) {
    const int64_t own = end - p < longest ? end - p : longest;
    const int64_t bucket = bucket_of(own), place = places[bucket]++;
    move->rows[bucket][place] = row;
    write_piece(cut, move, p, own, bucket, from, place);
    p += own;
  }
}

/* Writes the pieces, those of each task, range and bucket from the place that `next` has for them on. Rows of task t are
   counted from base[t]; columns from the start of their range where `relative`. */
int32_t fill_pieces(int64_t parts, int64_t tasks, int64_t ranges, int64_t width, int64_t most, int64_t whole,
                    int64_t relative, int64_t padding, const int64_t* restrict first, const int64_t* restrict base,
                    const INDEX* restrict pos, const INDEX* restrict crd, const VALUE* restrict vals,
                    const VALUE* restrict fill, int64_t* restrict next, INDEX* const* rows, INDEX* const* to_crd,
                    VALUE* const* to_vals) {
  const Cut cut = cut_at(ranges, width, most, whole, pos[first[tasks]]);
  const Move move = {crd, vals, rows, to_crd, to_vals, (INDEX)padding, *fill};
  const int64_t step = relative ? width : 0;
  #pragma omp parallel for schedule(dynamic, 1) num_threads(parts)
  for (int64_t t = 0; t < tasks; t++) {
    int64_t* const own = next + t * ranges * (most + 1);
    int64_t lengths[FEW_RANGES];
    for (int64_t row = first[t]; row < first[t + 1]; row++) {
      int64_t p = pos[row];
      const int64_t end = pos[row + 1];
      const INDEX number = (INDEX)(row - base[t]);
      if (ranges == 1) {
        write_range(&cut, &move, p, end - p, number, 0, own);
      } else if (side_by_side(&cut, end - p)) {
        lengths_of_ranges(&cut, crd, p, end, lengths);
        for (int64_t range = 0; range < ranges; range++) {
          write_range(&cut, &move, p, lengths[range], number, (INDEX)(range * step), own + range * (most + 1));
          p += lengths[range];
        }
      } else {
        while (p < end) {
          const int64_t range = range_of(&cut, crd[p]), to = end_of_range(&cut, crd, p, end, (range + 1) * width);
          write_range(&cut, &move, p, to - p, number, (INDEX)(range * step), own + range * (most + 1));
          p = to;
        }
      }
    }
  }
  return 0;
}
