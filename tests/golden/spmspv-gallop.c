// y(i) = A(i,j) * x(j)
// A: csr
// x: sparse
// mergeby(j, Gallop)

#include <stdint.h>

static inline int64_t max_int64(int64_t a, int64_t b) { return a > b ? a : b; }

// The smallest p in [lower, upper) with array[p] >= value, upper when there is none: in doubling steps from lower.
static inline int64_t search_gallop_int32(const int32_t* array, int64_t lower, int64_t upper, int64_t value) {
  int64_t probe = lower;
  for (int64_t step = 1; probe < upper && array[probe] < value; step *= 2) {
    lower = probe + 1;
    probe += step;
  }
  if (probe < upper) upper = probe;
  while (lower < upper) {
    int64_t middle = lower + (upper - lower) / 2;
    if (array[middle] < value) lower = middle + 1;
    else upper = middle;
  }
  return lower;
}

int32_t kernel(
    double* restrict y_vals, int64_t A1_dimension, const int32_t* restrict A2_pos,
    const int32_t* restrict A2_crd, const double* restrict A_vals, const int32_t* restrict x1_pos,
    const int32_t* restrict x1_crd, const double* restrict x_vals) {
  for (int64_t i = 0; i < A1_dimension; i++) {
    double y_sum = 0.0;
    int64_t jA = A2_pos[i];
    int64_t jA_end = A2_pos[i + 1];
    int64_t jx = 0;
    int64_t jx_end = x1_pos[1];
    while (jA < jA_end && jx < jx_end) {
      int64_t jA_crd = A2_crd[jA];
      int64_t jx_crd = x1_crd[jx];
      int64_t j = max_int64(jA_crd, jx_crd);
      if (jA_crd == j && jx_crd == j) {
        y_sum += A_vals[jA] * x_vals[jx];
        jA++;
        jx++;
      } else {
        if (jA_crd < j) {
          int64_t jA_next = search_gallop_int32(A2_crd, jA, jA_end, j);
          jA = jA_next;
        }
        if (jx_crd < j) {
          int64_t jx_next = search_gallop_int32(x1_crd, jx, jx_end, j);
          jx = jx_next;
        }
      }
    }
    y_vals[i] = y_sum;
  }
  return 0;
}
