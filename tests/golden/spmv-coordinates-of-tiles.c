// y(i) = A(i,j) * x(j)
// A: csr
// pos(j, p, A)
// split(p, p0, p1, 4)
// coord(p1, jc)

#include <stdint.h>

static inline int64_t max_int64(int64_t a, int64_t b) { return a > b ? a : b; }

static inline int64_t min_int64(int64_t a, int64_t b) { return a < b ? a : b; }

// The smallest p in [lower, upper) with array[p] >= value, upper when there is none.
static inline int64_t search_at_least_int32(const int32_t* array, int64_t lower, int64_t upper, int64_t value) {
  while (lower < upper) {
    int64_t middle = lower + (upper - lower) / 2;
    if (array[middle] < value) lower = middle + 1;
    else upper = middle;
  }
  return lower;
}

int32_t kernel(
    double* restrict y_vals, int64_t A1_dimension, const int32_t* restrict A2_pos,
    const int32_t* restrict A2_crd, const double* restrict A_vals, const double* restrict x_vals) {
  for (int64_t i = 0; i < A1_dimension; i++) {
    double y_sum = 0.0;
    for (int64_t p0 = A2_pos[i] / 4; p0 < ((int64_t)A2_pos[i + 1] + 3) / 4; p0++) {
      int64_t p1_begin = max_int64(p0 * 4, A2_pos[i]);
      int64_t p1_end = min_int64(p0 * 4 + 4, A2_pos[i + 1]);
      int64_t jc_begin = p1_begin < p1_end ? A2_crd[p1_begin] : 0;
      int64_t jc_end = p1_begin < p1_end ? (int64_t)A2_crd[p1_end - 1] + 1 : 0;
      for (int64_t jc = jc_begin; jc < jc_end; jc++) {
        int64_t p1_found = search_at_least_int32(A2_crd, p1_begin, p1_end, jc);
        if (A2_crd[p1_found] == jc) {
          int64_t p = p1_found;
          int64_t j = A2_crd[p];
          y_sum += A_vals[p] * x_vals[j];
        }
      }
    }
    y_vals[i] = y_sum;
  }
  return 0;
}
