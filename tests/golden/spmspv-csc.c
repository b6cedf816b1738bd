// y(i) = A(i,j) * x(j)
// A: csc
// x: sparse

#include <stdint.h>

int32_t kernel(
    int64_t y1_dimension, double* restrict y_vals, const int32_t* restrict A2_pos,
    const int32_t* restrict A2_crd, const double* restrict A_vals, const int32_t* restrict x1_pos,
    const int32_t* restrict x1_crd, const double* restrict x_vals) {
  for (int64_t p = 0; p < y1_dimension; p++) {
    y_vals[p] = 0.0;
  }
  for (int64_t jx = 0; jx < x1_pos[1]; jx++) {
    int64_t j = x1_crd[jx];
    for (int64_t iA = A2_pos[j]; iA < A2_pos[j + 1]; iA++) {
      int64_t i = A2_crd[iA];
      y_vals[i] += A_vals[iA] * x_vals[jx];
    }
  }
  return 0;
}
