// y(i) = A(i,j) * x(j)
// A: csr
// divide(i, i0, i1, 4)
// parallelize(i0, CPUThread, NoRaces)

#include <stdint.h>

int32_t kernel(
    double* restrict y_vals, int64_t A1_dimension, const int32_t* restrict A2_pos,
    const int32_t* restrict A2_crd, const double* restrict A_vals, const double* restrict x_vals) {
  #pragma omp parallel for schedule(static)
  for (int64_t i0 = 0; i0 < 4; i0++) {
    for (int64_t i1 = 0; i1 < (A1_dimension + 3) / 4; i1++) {
      int64_t i = i0 * ((A1_dimension + 3) / 4) + i1;
      if (i >= A1_dimension) break;
      double y_sum = 0.0;
      for (int64_t jA = A2_pos[i]; jA < A2_pos[i + 1]; jA++) {
        int64_t j = A2_crd[jA];
        y_sum += A_vals[jA] * x_vals[j];
      }
      y_vals[i] = y_sum;
    }
  }
  return 0;
}
