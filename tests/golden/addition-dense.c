// C(i,j) = A(i,j) + B(i,j)
// A: csr

#include <stdint.h>

int32_t kernel(
    int64_t C2_dimension, double* restrict C_vals, int64_t A1_dimension, int64_t A2_dimension,
    const int32_t* restrict A2_pos, const int32_t* restrict A2_crd, const double* restrict A_vals,
    int64_t B2_dimension, const double* restrict B_vals) {
  for (int64_t i = 0; i < A1_dimension; i++) {
    int64_t jA = A2_pos[i];
    int64_t jA_end = A2_pos[i + 1];
    int64_t j = 0;
    while (jA < jA_end && j < A2_dimension) {
      int64_t jA_crd = A2_crd[jA];
      if (jA_crd == j) {
        int64_t jB = i * B2_dimension + j;
        int64_t jC = i * C2_dimension + j;
        C_vals[jC] = A_vals[jA] + B_vals[jB];
        jA++;
      } else {
        int64_t jB = i * B2_dimension + j;
        int64_t jC = i * C2_dimension + j;
        C_vals[jC] = B_vals[jB];
      }
      j++;
    }
    while (j < A2_dimension) {
      int64_t jB = i * B2_dimension + j;
      int64_t jC = i * C2_dimension + j;
      C_vals[jC] = B_vals[jB];
      j++;
    }
  }
  return 0;
}
