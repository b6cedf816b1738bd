#include <stdint.h>

/* The bucket of a piece: 2^bucket slots are the fewest that hold it. */
static int64_t bucket_of(int64_t length) {
  return length < 2 ? 0 : 64 - __builtin_clzll((unsigned long long)length - 1);
}

/* Where the entries from p on leave their range of columns, which ends at `border`. */
static int64_t end_of_range(const INDEX* restrict crd, int64_t p, int64_t end, int64_t border) {
  if (crd[end - 1] < border) return end;
  while (crd[p] < border) p++;
  return p;
}

/* How many pieces each task has for each range of columns and bucket. Task t has the rows from first[t] to first[t + 1],
   which are cut where columns reach a multiple of `width`, and then every 2^most entries; if `whole`, what is longer
   than that is left out. counts: `ranges` times `most` + 1 of each task, zero. */
int32_t count_pieces(int64_t parts, int64_t tasks, int64_t ranges, int64_t width, int64_t most, int64_t whole,
                     const int64_t* restrict first, const INDEX* restrict pos, const INDEX* restrict crd,
                     int64_t* restrict counts) {
  #pragma omp parallel for schedule(dynamic, 1) num_threads(parts)
  for (int64_t t = 0; t < tasks; t++) {
    int64_t* const own = counts + t * ranges * (most + 1);
    for (int64_t row = first[t]; row < first[t + 1]; row++) {
      const int64_t end = pos[row + 1];
      for (int64_t p = pos[row]; p < end;) {
        const int64_t range = ranges == 1 ? 0 : crd[p] / (INDEX)width;
        const int64_t to = ranges == 1 ? end : end_of_range(crd, p, end, (range + 1) * width);
        const int64_t rest = (to - p) & (((int64_t)1 << most) - 1);
        int64_t* const buckets = own + range * (most + 1);
        if (!whole) buckets[most] += (to - p) >> most;
        if (rest != 0 && (!whole || to - p == rest)) buckets[bucket_of(rest)]++;
        else if (whole && to - p == (int64_t)1 << most) buckets[most]++;
        p = to;
      }
    }
  }
  return 0;
}

/* Writes one piece of `length` entries in `slots` slots. */
static void write_piece(int64_t length, int64_t slots, INDEX from, INDEX padding, const INDEX* restrict crd,
                        const VALUE* restrict vals, VALUE fill, INDEX* restrict to_crd, VALUE* restrict to_vals) {
  int64_t slot = 0;
  for (; slot < length; slot++) to_crd[slot] = crd[slot] - from, to_vals[slot] = vals[slot];
  for (; slot < slots; slot++) to_crd[slot] = padding, to_vals[slot] = fill;
}

/* Writes the pieces, those of each task, range and bucket from the place that `next` has for them on. Rows of task t are
   counted from base[t]; columns from the start of their range where `relative`. Bucket b has the row of each piece in
   rows[b], and its slots in to_crd[b] and to_vals[b]; unused ones get `padding` and the fill. */
int32_t fill_pieces(int64_t parts, int64_t tasks, int64_t ranges, int64_t width, int64_t most, int64_t whole,
                    int64_t relative, int64_t padding, const int64_t* restrict first, const int64_t* restrict base,
                    const INDEX* restrict pos, const INDEX* restrict crd, const VALUE* restrict vals,
                    const VALUE* restrict fill, int64_t* restrict next, INDEX* const* rows, INDEX* const* to_crd,
                    VALUE* const* to_vals) {
  #pragma omp parallel for schedule(dynamic, 1) num_threads(parts)
  for (int64_t t = 0; t < tasks; t++) {
    int64_t* const own = next + t * ranges * (most + 1);
    for (int64_t row = first[t]; row < first[t + 1]; row++) {
      const int64_t end = pos[row + 1];
      for (int64_t p = pos[row]; p < end;) {
        const int64_t range = ranges == 1 ? 0 : crd[p] / (INDEX)width;
        const int64_t to = ranges == 1 ? end : end_of_range(crd, p, end, (range + 1) * width);
        const INDEX from = (INDEX)(relative ? range * width : 0);
        int64_t* const places = own + range * (most + 1);
        if (whole && to - p > (int64_t)1 << most) p = to;
        while (p < to) {
          const int64_t full = (to - p) >> most, length = full ? (int64_t)1 << most : to - p;
          const int64_t bucket = full ? most : bucket_of(length), place = places[bucket]++;
          rows[bucket][place] = (INDEX)(row - base[t]);
          write_piece(length, (int64_t)1 << bucket, from, (INDEX)padding, crd + p, vals + p, *fill,
                      to_crd[bucket] + (place << bucket), to_vals[bucket] + (place << bucket));
          p += length;
        }
      }
    }
  }
  return 0;
}
