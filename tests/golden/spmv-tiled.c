// y(i) = A(i,j) * x(j)
// A: csr
// split(i, i0, i1, 4)
// split(j, j0, j1, 4)
// reorder(i0, j0, i1, j1)

#include <stdint.h>

// The smallest p in [lower, upper) with array[p] >= value, upper when there is none.
static inline int64_t search_at_least_int32(const int32_t* array, int64_t lower, int64_t upper, int64_t value) {
  while (lower < upper) {
    int64_t middle = lower + (upper - lower) / 2;
    if (array[middle] < value) lower = middle + 1;
    else upper = middle;
  }
  return lower;
}

static inline int64_t min_int64(int64_t a, int64_t b) { return a < b ? a : b; }

int32_t kernel(
    int64_t y1_dimension, double* restrict y_vals, int64_t A1_dimension, int64_t A2_dimension,
    const int32_t* restrict A2_pos, const int32_t* restrict A2_crd, const double* restrict A_vals,
    const double* restrict x_vals) {
  for (int64_t p = 0; p < y1_dimension; p++) {
    y_vals[p] = 0.0;
  }
  for (int64_t i0 = 0; i0 < (A1_dimension + 3) / 4; i0++) {
    for (int64_t j0 = 0; j0 < (A2_dimension + 3) / 4; j0++) {
      for (int64_t i1 = 0; i1 < 4; i1++) {
        int64_t i = i0 * 4 + i1;
        if (i >= A1_dimension) break;
        double y_sum = 0.0;
        int64_t jA_begin = search_at_least_int32(A2_crd, A2_pos[i], A2_pos[i + 1], j0 * 4);
        int64_t jA_end = search_at_least_int32(A2_crd, jA_begin, A2_pos[i + 1], min_int64(j0 * 4 + 4, A2_dimension));
        for (int64_t jA = jA_begin; jA < jA_end; jA++) {
          int64_t j = A2_crd[jA];
          y_sum += A_vals[jA] * x_vals[j];
        }
        y_vals[i] += y_sum;
      }
    }
  }
  return 0;
}
