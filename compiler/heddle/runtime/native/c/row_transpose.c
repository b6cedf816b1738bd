#include <stdint.h>
#include <string.h>

#include "rows.h"

enum { AHEAD = 16, STRETCH = 4096, LOOKED_AT = 16, SAMPLES = 16, STEP = 251 };

/* How many columns a stretch of neighbouring entries spans, but for a few far ones: the mean of some stretches, by
   twice the distance between the quartiles of the entries that are looked at. */
int32_t reach(int64_t count, const INDEX* restrict crd) {
  const int64_t stretches = count / STRETCH, step = stretches > LOOKED_AT ? stretches / LOOKED_AT : 1;
  int64_t sum = 0, number = 0;
  for (int64_t s = 0; s < stretches; s += step, number++) {
    INDEX seen[SAMPLES];
    for (int64_t k = 0; k < SAMPLES; k++) {
      const INDEX here = crd[s * STRETCH + k * STEP];
      int64_t place = k;
      for (; place > 0 && seen[place - 1] > here; place--) seen[place] = seen[place - 1];
      seen[place] = here;
    }
    sum += 2 * ((int64_t)seen[SAMPLES * 3 / 4 - 1] - seen[SAMPLES / 4]);
  }
  const int64_t mean = number ? sum / number : 0;
  return mean < INT32_MAX ? (int32_t)mean : INT32_MAX;
}

/* Where the next entry of each column goes, for a part of the entries: the last one's at last are the columns' ends. */
static INDEX* ends_of(int64_t part, int64_t parts, int64_t columns, INDEX* to_pos, INDEX* next) {
  return part + 1 < parts ? next + part * columns : to_pos + 1;
}

static void count_columns(int64_t begin, int64_t end, const INDEX* restrict crd, INDEX* restrict counts) {
  for (int64_t e = begin; e < end; e++) counts[crd[e]]++;
}

/* The entries from `begin` to before `stop`. Far: their places are asked for ahead, nearly, since entries of the same
   column before them still move them on. */
static void put(int64_t far, int64_t begin, int64_t stop, int64_t rows, const INDEX* restrict pos,
                const INDEX* restrict crd, const VALUE* restrict vals, INDEX* restrict ends, INDEX* restrict to_crd,
                VALUE* restrict to_vals) {
  const int64_t count = pos[rows];
  int64_t e = begin;
  for (int64_t r = row_of(rows, pos, begin); e < stop; r++)
    for (const int64_t end = pos[r + 1] < stop ? pos[r + 1] : stop; e < end; e++) {
      if (far) {
        const INDEX soon = ends[crd[e + AHEAD < count ? e + AHEAD : e]];
        __builtin_prefetch(to_crd + soon, 1), __builtin_prefetch(to_vals + soon, 1);
      }
      const INDEX place = ends[crd[e]]++;
      to_crd[place] = (INDEX)r, to_vals[place] = vals[e];
    }
}

/* next: `columns` for each of the parts into which the entries are cut but the last. */
int32_t transpose(int64_t far, int64_t parts, int64_t rows, int64_t columns, const INDEX* restrict pos,
                  const INDEX* restrict crd, const VALUE* restrict vals, INDEX* to_pos, INDEX* restrict to_crd,
                  VALUE* restrict to_vals, INDEX* next) {
  const int64_t count = pos[rows];
  if (parts == 1) { /* few entries: the threads' bookkeeping would be felt */
    memset(to_pos, 0, (size_t)(columns + 1) * sizeof(INDEX));
    count_columns(0, count, crd, to_pos + 1);
    first_places(columns, to_pos + 1);
    put(far, 0, count, rows, pos, crd, vals, to_pos + 1, to_crd, to_vals);
    return 0;
  }
  int64_t sums[parts];
  #pragma omp parallel num_threads(parts)
  {
    #pragma omp for schedule(static, 1)
    for (int64_t part = 0; part < parts; part++) {
      INDEX* restrict ends = ends_of(part, parts, columns, to_pos, next);
      memset(ends, 0, (size_t)columns * sizeof(INDEX));
      count_columns(count * part / parts, count * (part + 1) / parts, crd, ends);
    }
    /* From here on a part also is a range of columns, of which all counts are summed up. */
    #pragma omp for schedule(static, 1)
    for (int64_t range = 0; range < parts; range++) {
      int64_t sum = 0;
      for (int64_t part = 0; part < parts; part++) {
        const INDEX* counts = ends_of(part, parts, columns, to_pos, next);
        for (int64_t c = columns * range / parts; c < columns * (range + 1) / parts; c++) sum += counts[c];
      }
      sums[range] = sum;
    }
    #pragma omp for schedule(static, 1)
    for (int64_t range = 0; range < parts; range++) {
      INDEX sum = 0;
      for (int64_t before = 0; before < range; before++) sum += (INDEX)sums[before];
      for (int64_t c = columns * range / parts; c < columns * (range + 1) / parts; c++) {
        for (int64_t part = 0; part + 1 < parts; part++) {
          const INDEX here = next[part * columns + c];
          next[part * columns + c] = sum;
          sum += here;
        }
        const INDEX here = to_pos[c + 1];
        to_pos[c + 1] = sum;
        sum += here;
      }
    }
    #pragma omp for schedule(static, 1)
    for (int64_t part = 0; part < parts; part++) {
      const int64_t begin = count * part / parts, stop = count * (part + 1) / parts;
      INDEX* ends = ends_of(part, parts, columns, to_pos, next);
      put(far, begin, stop, rows, pos, crd, vals, ends, to_crd, to_vals);
    }
  }
  to_pos[0] = 0;
  return 0;
}
