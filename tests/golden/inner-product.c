// s = a(i) * b(i)
// a: sparse

#include <stdint.h>

int32_t kernel(
    double* restrict s_vals, const int32_t* restrict a1_pos, const int32_t* restrict a1_crd,
    const double* restrict a_vals, const double* restrict b_vals) {
  double s_sum = 0.0;
  for (int64_t ia = 0; ia < a1_pos[1]; ia++) {
    int64_t i = a1_crd[ia];
    s_sum += a_vals[ia] * b_vals[i];
  }
  s_vals[0] = s_sum;
  return 0;
}
