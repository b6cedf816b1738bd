// y(i) = A(i,j) * x(j)
// A: dcsr

#include <stdint.h>

int32_t kernel(
    int64_t y1_dimension, double* restrict y_vals, const int32_t* restrict A1_pos,
    const int32_t* restrict A1_crd, const int32_t* restrict A2_pos, const int32_t* restrict A2_crd,
    const double* restrict A_vals, const double* restrict x_vals) {
  for (int64_t p = 0; p < y1_dimension; p++) {
    y_vals[p] = 0.0;
  }
  for (int64_t iA = 0; iA < A1_pos[1]; iA++) {
    int64_t i = A1_crd[iA];
    double y_sum = 0.0;
    for (int64_t jA = A2_pos[iA]; jA < A2_pos[iA + 1]; jA++) {
      int64_t j = A2_crd[jA];
      y_sum += A_vals[jA] * x_vals[j];
    }
    y_vals[i] += y_sum;
  }
  return 0;
}
