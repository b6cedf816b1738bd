// C(i,j) = A(i,j) + B(i,j)
// A: csr
// B: csr

#include <stdint.h>

static inline int64_t min_int64(int64_t a, int64_t b) { return a < b ? a : b; }

int32_t kernel(
    int64_t C1_dimension, int64_t C2_dimension, double* restrict C_vals, int64_t A1_dimension,
    const int32_t* restrict A2_pos, const int32_t* restrict A2_crd, const double* restrict A_vals,
    const int32_t* restrict B2_pos, const int32_t* restrict B2_crd, const double* restrict B_vals) {
  for (int64_t p = 0; p < C1_dimension * C2_dimension; p++) {
    C_vals[p] = 0.0;
  }
  for (int64_t i = 0; i < A1_dimension; i++) {
    int64_t jA = A2_pos[i];
    int64_t jA_end = A2_pos[i + 1];
    int64_t jB = B2_pos[i];
    int64_t jB_end = B2_pos[i + 1];
    while (jA < jA_end && jB < jB_end) {
      int64_t jA_crd = A2_crd[jA];
      int64_t jB_crd = B2_crd[jB];
      int64_t j = min_int64(jA_crd, jB_crd);
      if (jA_crd == j && jB_crd == j) {
        int64_t jC = i * C2_dimension + j;
        C_vals[jC] = A_vals[jA] + B_vals[jB];
        jA++;
        jB++;
      } else if (jA_crd == j) {
        int64_t jC = i * C2_dimension + j;
        C_vals[jC] = A_vals[jA];
        jA++;
      } else {
        int64_t jC = i * C2_dimension + j;
        C_vals[jC] = B_vals[jB];
        jB++;
      }
    }
    while (jA < jA_end) {
      int64_t j = A2_crd[jA];
      int64_t jC = i * C2_dimension + j;
      C_vals[jC] = A_vals[jA];
      jA++;
    }
    while (jB < jB_end) {
      int64_t j = B2_crd[jB];
      int64_t jC = i * C2_dimension + j;
      C_vals[jC] = B_vals[jB];
      jB++;
    }
  }
  return 0;
}
