// C(i,k) = A(i,j) * B(j,k)
// A: csr
// reorder(i, j, k)
// split(i, i0, i1, 16)
// parallelize(i0, CPUThread, NoRaces)

#include <stdint.h>

int32_t kernel(
    int64_t C1_dimension, int64_t C2_dimension, double* restrict C_vals, int64_t A1_dimension,
    const int32_t* restrict A2_pos, const int32_t* restrict A2_crd, const double* restrict A_vals,
    int64_t B2_dimension, const double* restrict B_vals) {
  #pragma omp parallel for schedule(static) if(C1_dimension * C2_dimension >= 32768)
  for (int64_t p = 0; p < C1_dimension * C2_dimension; p++) {
    C_vals[p] = 0.0;
  }
  #pragma omp parallel for schedule(guided)
  for (int64_t i0 = 0; i0 < (A1_dimension + 15) / 16; i0++) {
    for (int64_t i1 = 0; i1 < 16; i1++) {
      int64_t i = i0 * 16 + i1;
      if (i >= A1_dimension) break;
      for (int64_t jA = A2_pos[i]; jA < A2_pos[i + 1]; jA++) {
        int64_t j = A2_crd[jA];
        for (int64_t k = 0; k < B2_dimension; k++) {
          int64_t kB = j * B2_dimension + k;
          int64_t kC = i * C2_dimension + k;
          C_vals[kC] += A_vals[jA] * B_vals[kB];
        }
      }
    }
  }
  return 0;
}
