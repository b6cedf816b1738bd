// A(i,j) = B(i,k,l) * C(k,j) * D(l,j)
// B: csf
// reorder(i, k, l, j)
// pos(i, ipos, B)
// split(ipos, ipos0, ipos1, 4)
// parallelize(ipos0, CPUThread, NoRaces)

#include <stdint.h>

int32_t kernel(
    int64_t A1_dimension, int64_t A2_dimension, double* restrict A_vals, const int32_t* restrict B1_pos,
    const int32_t* restrict B1_crd, const int32_t* restrict B2_pos, const int32_t* restrict B2_crd,
    const int32_t* restrict B3_pos, const int32_t* restrict B3_crd, const double* restrict B_vals,
    int64_t C2_dimension, const double* restrict C_vals, int64_t D2_dimension,
    const double* restrict D_vals) {
  #pragma omp parallel for schedule(static) if(A1_dimension * A2_dimension >= 32768)
  for (int64_t p = 0; p < A1_dimension * A2_dimension; p++) {
    A_vals[p] = 0.0;
  }
  #pragma omp parallel for schedule(guided)
  for (int64_t ipos0 = 0; ipos0 < ((int64_t)B1_pos[1] + 3) / 4; ipos0++) {
    for (int64_t ipos1 = 0; ipos1 < 4; ipos1++) {
      int64_t ipos = ipos0 * 4 + ipos1;
      if (ipos >= B1_pos[1]) break;
      int64_t i = B1_crd[ipos];
      for (int64_t kB = B2_pos[ipos]; kB < B2_pos[ipos + 1]; kB++) {
        int64_t k = B2_crd[kB];
        for (int64_t lB = B3_pos[kB]; lB < B3_pos[kB + 1]; lB++) {
          int64_t l = B3_crd[lB];
          for (int64_t j = 0; j < C2_dimension; j++) {
            int64_t jC = k * C2_dimension + j;
            int64_t jD = l * D2_dimension + j;
            int64_t jA = i * A2_dimension + j;
            A_vals[jA] += B_vals[lB] * C_vals[jC] * D_vals[jD];
          }
        }
      }
    }
  }
  return 0;
}
