// C(i,j) = S(i,j) * A(i,k) * B(k,j)
// S: csr

#include <stdint.h>

int32_t kernel(
    int64_t C1_dimension, int64_t C2_dimension, double* restrict C_vals, int64_t S1_dimension,
    const int32_t* restrict S2_pos, const int32_t* restrict S2_crd, const double* restrict S_vals,
    int64_t A2_dimension, const double* restrict A_vals, int64_t B2_dimension,
    const double* restrict B_vals) {
  for (int64_t p = 0; p < C1_dimension * C2_dimension; p++) {
    C_vals[p] = 0.0;
  }
  for (int64_t i = 0; i < S1_dimension; i++) {
    for (int64_t jS = S2_pos[i]; jS < S2_pos[i + 1]; jS++) {
      int64_t j = S2_crd[jS];
      int64_t jC = i * C2_dimension + j;
      double C_sum = 0.0;
      for (int64_t k = 0; k < A2_dimension; k++) {
        int64_t kA = i * A2_dimension + k;
        int64_t jB = k * B2_dimension + j;
        C_sum += S_vals[jS] * A_vals[kA] * B_vals[jB];
      }
      C_vals[jC] += C_sum;
    }
  }
  return 0;
}
