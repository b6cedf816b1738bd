#include <stdint.h>

/* Rows of so many ranges of columns at most are cut at all of them at once. */
enum { MOST_RANGES = 256 };

/* The entries that are divided: columns cut at multiples of `width`, and the pieces of those after every 2^most. */
struct cut {
  int64_t ranges, width, most, whole;
  double inverse;
  const INDEX* crd;
};

static struct cut cut_of(int64_t ranges, int64_t width, int64_t most, int64_t whole, const INDEX* crd) {
  return (struct cut){ranges, width, most, whole, 1.0 / (double)width, crd};
}

/* The bucket of a piece that has entries: 2^bucket slots are the fewest that hold it. */
static inline int64_t bucket_of(int64_t length) {
  return 63 - __builtin_clzll(2 * (unsigned long long)length - 1);
}

/* The range of a column. Quotients of 31 bits are exact in doubles: half a column is far more than their error. */
static inline int64_t range_of(const struct cut* cut, INDEX column) {
  return sizeof(INDEX) == 4 ? (int64_t)(((double)column + 0.5) * cut->inverse) : column / cut->width;
}

/* Where the entries from p on leave their range of columns, which ends at `border`. */
static inline int64_t end_of_range(const INDEX* crd, int64_t p, int64_t end, int64_t border) {
  if (crd[end - 1] < border) return end;
  while (crd[p] < border) p++;
  return p;
}

/* Whether a row has about as many entries as there are ranges, so that it is cut at all of them: then nothing depends
   on how many entries each range has, which no processor foresees. */
static inline int is_cut_at_once(const struct cut* cut, int64_t length) {
  return cut->ranges > 1 && cut->ranges <= MOST_RANGES && 2 * length >= cut->ranges;
}

/* ends[r] is behind the last entry in range r, or at `begin` where there is none. */
static inline void cut_at_once(const struct cut* cut, int64_t begin, int64_t end, int64_t* restrict ends) {
  for (int64_t range = 0; range < cut->ranges; range++) ends[range] = begin;
  for (int64_t p = begin; p < end; p++) ends[range_of(cut, cut->crd[p])] = p + 1;
}

/* Adds the pieces of `length` entries in one range, perhaps none, to the counts of its buckets. */
static inline void count_range(const struct cut* cut, int64_t length, int64_t* buckets) {
  const int64_t rest = length & (((int64_t)1 << cut->most) - 1);
  if (cut->whole) {
    if (length != 0 && length <= (int64_t)1 << cut->most) buckets[bucket_of(length)]++;
    return;
  }
  buckets[cut->most] += length >> cut->most;
  buckets[rest != 0 ? bucket_of(rest) : 0] += rest != 0;
}

/* How many pieces each task has for each range of columns and bucket. Task t has the rows from first[t] to first[t + 1],
   which are cut where columns reach a multiple of `width`, and then every 2^most entries; if `whole`, what is longer
   than that is left out. counts: `ranges` times `most` + 1 of each task, zero. */
int32_t count_pieces(int64_t parts, int64_t tasks, int64_t ranges, int64_t width, int64_t most, int64_t whole,
                     const int64_t* restrict first, const INDEX* restrict pos, const INDEX* restrict crd,
                     int64_t* restrict counts) {
  const struct cut cut = cut_of(ranges, width, most, whole, crd);
  #pragma omp parallel for schedule(dynamic, 1) num_threads(parts)
  for (int64_t t = 0; t < tasks; t++) {
    int64_t ends[MOST_RANGES];
    int64_t* const own = counts + t * ranges * (most + 1);
    for (int64_t row = first[t]; row < first[t + 1]; row++) {
      const int64_t end = pos[row + 1];
      int64_t p = pos[row];
      if (is_cut_at_once(&cut, end - p)) {
        cut_at_once(&cut, p, end, ends);
        for (int64_t range = 0; range < ranges; range++) {
          const int64_t to = ends[range] > p ? ends[range] : p;
          count_range(&cut, to - p, own + range * (most + 1));
          p = to;
        }
      }
      while (p < end) {
        const int64_t range = ranges == 1 ? 0 : range_of(&cut, crd[p]);
        const int64_t to = ranges == 1 ? end : end_of_range(crd, p, end, (range + 1) * width);
        count_range(&cut, to - p, own + range * (most + 1));
        p = to;
      }
    }
  }
  return 0;
}

/* Where pieces go. Bucket b has the row of each piece in rows[b], and its slots in crd[b] and vals[b]. */
struct pieces {
  INDEX* const* rows;
  INDEX* const* crd;
  VALUE* const* vals;
  INDEX padding;
  VALUE fill;
};

/* Writes `length` entries, more than half of the `slots`; columns are counted from `from`. */
static inline void write_slots(const struct pieces* to, int64_t length, int64_t slots, INDEX from, const INDEX* crd,
                               const VALUE* vals, INDEX* restrict to_crd, VALUE* restrict to_vals) {
  int64_t slot = 0;
  for (; slot < length; slot++) to_crd[slot] = crd[slot] - from, to_vals[slot] = vals[slot];
  for (; slot < slots; slot++) to_crd[slot] = to->padding, to_vals[slot] = to->fill;
}

/* Writes a piece to its bucket. Those of one or two slots are never padded. */
static inline void write_piece(const struct pieces* to, int64_t bucket, int64_t place, INDEX row, INDEX from,
                               int64_t length, const INDEX* crd, const VALUE* vals) {
  INDEX* const to_crd = to->crd[bucket] + (place << bucket);
  VALUE* const to_vals = to->vals[bucket] + (place << bucket);
  to->rows[bucket][place] = row;
  if (bucket == 0) write_slots(to, 1, 1, from, crd, vals, to_crd, to_vals);
  else if (bucket == 1) write_slots(to, 2, 2, from, crd, vals, to_crd, to_vals);
  else write_slots(to, length, (int64_t)1 << bucket, from, crd, vals, to_crd, to_vals);
}

/* Writes the pieces of the entries from p to `end`, which are in one range. */
static inline void fill_range(const struct cut* cut, const struct pieces* to, int64_t p, int64_t end, INDEX row,
                              INDEX from, const VALUE* vals, int64_t* places) {
  const int64_t widest = (int64_t)1 << cut->most;
  if (cut->whole && end - p > widest) return;
  for (; end - p >= widest; p += widest)
    write_piece(to, cut->most, places[cut->most]++, row, from, widest, cut->crd + p, vals + p);
  if (p == end) return;
  const int64_t bucket = bucket_of(end - p);
  write_piece(to, bucket, places[bucket]++, row, from, end - p, cut->crd + p, vals + p);
}

/* Writes the pieces, those of each task, range and bucket from the place that `next` has for them on. Rows of task t are
   counted from base[t]; columns from the start of their range where `relative`. Bucket b has the row of each piece in
   rows[b], and its slots in to_crd[b] and to_vals[b]; unused ones get `padding` and the fill. */
int32_t fill_pieces(int64_t parts, int64_t tasks, int64_t ranges, int64_t width, int64_t most, int64_t whole,
                    int64_t relative, int64_t padding, const int64_t* restrict first, const int64_t* restrict base,
                    const INDEX* restrict pos, const INDEX* restrict crd, const VALUE* restrict vals,
                    const VALUE* restrict fill, int64_t* restrict next, INDEX* const* rows, INDEX* const* to_crd,
                    VALUE* const* to_vals) {
  const struct cut cut = cut_of(ranges, width, most, whole, crd);
  const struct pieces to = {rows, to_crd, to_vals, (INDEX)padding, *fill};
  const int64_t step = relative ? width : 0;
  #pragma omp parallel for schedule(dynamic, 1) num_threads(parts)
  for (int64_t t = 0; t < tasks; t++) {
    int64_t ends[MOST_RANGES];
    int64_t* const own = next + t * ranges * (most + 1);
    for (int64_t row = first[t]; row < first[t + 1]; row++) {
      const INDEX named = (INDEX)(row - base[t]);
      const int64_t end = pos[row + 1];
      int64_t p = pos[row];
      if (is_cut_at_once(&cut, end - p)) {
        cut_at_once(&cut, p, end, ends);
        for (int64_t range = 0; range < ranges; range++) {
          if (ends[range] <= p) continue;
          fill_range(&cut, &to, p, ends[range], named, (INDEX)(range * step), vals, own + range * (most + 1));
          p = ends[range];
        }
      }
      while (p < end) {
        const int64_t range = ranges == 1 ? 0 : range_of(&cut, crd[p]);
        const int64_t next_range = ranges == 1 ? end : end_of_range(crd, p, end, (range + 1) * width);
        fill_range(&cut, &to, p, next_range, named, (INDEX)(range * step), vals, own + range * (most + 1));
        p = next_range;
      }
    }
  }
  return 0;
}
