// y(i) = A(i,j) * x(j)
// A: csr

#include <stdint.h>

int32_t kernel(
    double* restrict y_vals, int64_t A1_dimension, const int32_t* restrict A2_pos,
    const int32_t* restrict A2_crd, const double* restrict A_vals, const double* restrict x_vals) {
  for (int64_t i = 0; i < A1_dimension; i++) {
    double y_sum = 0.0;
    for (int64_t jA = A2_pos[i]; jA < A2_pos[i + 1]; jA++) {
      int64_t j = A2_crd[jA];
      y_sum += A_vals[jA] * x_vals[j];
    }
    y_vals[i] = y_sum;
  }
  return 0;
}
