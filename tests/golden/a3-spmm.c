// C(i,k) = A(i,j) * B(j,k)
// A: csr
// split(i, i0, i1, 16)
// pos(j, jpos, A)
// split(jpos, jpos0, jpos1, 8)
// reorder(i0, i1, jpos0, k, jpos1)
// parallelize(i0, CPUThread, NoRaces)
// parallelize(k, CPUVector, NoRaces)

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
      for (int64_t jpos0 = A2_pos[i] / 8; jpos0 < ((int64_t)A2_pos[i + 1] + 7) / 8; jpos0++) {
        if (jpos0 * 8 >= A2_pos[i] && jpos0 * 8 + 7 < A2_pos[i + 1]) {
          #pragma omp simd
          for (int64_t k = 0; k < B2_dimension; k++) {
            int64_t kC = i * C2_dimension + k;
            double C_sum = 0.0;
            for (int64_t jpos1 = 0; jpos1 < 8; jpos1++) {
              int64_t jpos = jpos0 * 8 + jpos1;
              int64_t j = A2_crd[jpos];
              int64_t kB = j * B2_dimension + k;
              C_sum += A_vals[jpos] * B_vals[kB];
            }
            C_vals[kC] += C_sum;
          }
        } else {
          #pragma omp simd
          for (int64_t k = 0; k < B2_dimension; k++) {
            int64_t kC = i * C2_dimension + k;
            double C_sum = 0.0;
            for (int64_t jpos1 = 0; jpos1 < 8; jpos1++) {
              int64_t jpos = jpos0 * 8 + jpos1;
              if (jpos >= A2_pos[i]) {
                if (jpos >= A2_pos[i + 1]) break;
                int64_t j = A2_crd[jpos];
                int64_t kB = j * B2_dimension + k;
                C_sum += A_vals[jpos] * B_vals[kB];
              }
            }
            C_vals[kC] += C_sum;
          }
        }
      }
    }
  }
  return 0;
}
