// y(i) = A(i,j) * x(j)
// A: csr
// x: sparse

#include <stdint.h>

static inline int64_t min_int64(int64_t a, int64_t b) { return a < b ? a : b; }

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
      int64_t j = min_int64(jA_crd, jx_crd);
      if (jA_crd == j && jx_crd == j) {
        y_sum += A_vals[jA] * x_vals[jx];
      }
      jA += (jA_crd == j);
      jx += (jx_crd == j);
    }
    y_vals[i] = y_sum;
  }
  return 0;
}
