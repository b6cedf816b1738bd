// y(i) = A(i,j) * x(j)
// A: csc
// parallelize(j, CPUThread, Atomics)

#include <stdint.h>

int32_t kernel(
    int64_t y1_dimension, double* restrict y_vals, int64_t A1_dimension, const int32_t* restrict A2_pos,
    const int32_t* restrict A2_crd, const double* restrict A_vals, const double* restrict x_vals) {
  #pragma omp parallel for schedule(static) if(y1_dimension >= 32768)
  for (int64_t p = 0; p < y1_dimension; p++) {
    y_vals[p] = 0.0;
  }
  #pragma omp parallel for schedule(guided)
  for (int64_t j = 0; j < A1_dimension; j++) {
    for (int64_t iA = A2_pos[j]; iA < A2_pos[j + 1]; iA++) {
      int64_t i = A2_crd[iA];
      #pragma omp atomic
      y_vals[i] += A_vals[iA] * x_vals[j];
    }
  }
  return 0;
}
