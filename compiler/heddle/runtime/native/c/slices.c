#include <stdint.h>

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
        const int64_t length = r < 0 ? 0 : pos[r + 1] - begin, held = length < to ? length : to;
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
