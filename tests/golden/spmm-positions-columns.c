// C(i,k) = A(i,j) * B(j,k)
// A: csr
// reorder(i, j, k)
// fuse(i, j, f)
// pos(f, fpos, A)
// split(fpos, p0, p1, 8)
// split(k, k0, k1, 4)
// reorder(p0, k0, p1, k1)
// parallelize(p0, CPUThread, Atomics)

#include <stdbool.h>
#include <stdint.h>

// The largest p in [lower, upper) with array[p] <= value, lower when there is none.
static inline int64_t search_before_int32(const int32_t* array, int64_t lower, int64_t upper, int64_t value) {
  while (upper - lower > 1) {
    int64_t middle = lower + (upper - lower) / 2;
    if (array[middle] <= value) lower = middle;
    else upper = middle;
  }
  return lower;
}

int32_t kernel(
    int64_t C1_dimension, int64_t C2_dimension, double* restrict C_vals, int64_t A1_dimension,
    const int32_t* restrict A2_pos, const int32_t* restrict A2_crd, const double* restrict A_vals,
    int64_t B2_dimension, const double* restrict B_vals) {
  #pragma omp parallel for schedule(static) if(C1_dimension * C2_dimension >= 32768)
  for (int64_t p = 0; p < C1_dimension * C2_dimension; p++) {
    C_vals[p] = 0.0;
  }
  #pragma omp parallel for schedule(guided)
  for (int64_t p0 = 0; p0 < ((int64_t)A2_pos[A1_dimension] + 7) / 8; p0++) {
    for (int64_t k0 = 0; k0 < (B2_dimension + 3) / 4; k0++) {
      double C_sum[4];
      for (int64_t p = 0; p < 4; p++) {
        C_sum[p] = 0.0;
      }
      bool C_first = true;
      int64_t iA = search_before_int32(A2_pos, 0, A1_dimension, p0 * 8);
      for (int64_t p1 = 0; p1 < 8; p1++) {
        int64_t fpos = p0 * 8 + p1;
        if (fpos >= A2_pos[A1_dimension]) break;
        int64_t j = A2_crd[fpos];
        if (fpos >= A2_pos[iA + 1]) {
          if (C_first) {
            if (k0 * 4 + 3 < B2_dimension) {
              for (int64_t k1 = 0; k1 < 4; k1++) {
                int64_t k = k0 * 4 + k1;
                int64_t kC = iA * C2_dimension + k;
                #pragma omp atomic
                C_vals[kC] += C_sum[k1];
              }
            } else {
              for (int64_t k1 = 0; k1 < 4; k1++) {
                int64_t k = k0 * 4 + k1;
                if (k >= B2_dimension) break;
                int64_t kC = iA * C2_dimension + k;
                #pragma omp atomic
                C_vals[kC] += C_sum[k1];
              }
            }
          } else if (k0 * 4 + 3 < B2_dimension) {
            for (int64_t k1 = 0; k1 < 4; k1++) {
              int64_t k = k0 * 4 + k1;
              int64_t kC = iA * C2_dimension + k;
              C_vals[kC] += C_sum[k1];
            }
          } else {
            for (int64_t k1 = 0; k1 < 4; k1++) {
              int64_t k = k0 * 4 + k1;
              if (k >= B2_dimension) break;
              int64_t kC = iA * C2_dimension + k;
              C_vals[kC] += C_sum[k1];
            }
          }
          for (int64_t p = 0; p < 4; p++) {
            C_sum[p] = 0.0;
          }
          C_first = false;
          while (fpos >= A2_pos[iA + 1]) {
            iA++;
          }
        }
        double A_value = A_vals[fpos];
        if (k0 * 4 + 3 < B2_dimension) {
          for (int64_t k1 = 0; k1 < 4; k1++) {
            int64_t k = k0 * 4 + k1;
            int64_t kB = j * B2_dimension + k;
            C_sum[k1] += A_value * B_vals[kB];
          }
        } else {
          for (int64_t k1 = 0; k1 < 4; k1++) {
            int64_t k = k0 * 4 + k1;
            if (k >= B2_dimension) break;
            int64_t kB = j * B2_dimension + k;
            C_sum[k1] += A_value * B_vals[kB];
          }
        }
      }
      if (0 < A1_dimension) {
        if (k0 * 4 + 3 < B2_dimension) {
          for (int64_t k1 = 0; k1 < 4; k1++) {
            int64_t k = k0 * 4 + k1;
            int64_t kC = iA * C2_dimension + k;
            #pragma omp atomic
            C_vals[kC] += C_sum[k1];
          }
        } else {
          for (int64_t k1 = 0; k1 < 4; k1++) {
            int64_t k = k0 * 4 + k1;
            if (k >= B2_dimension) break;
            int64_t kC = iA * C2_dimension + k;
            #pragma omp atomic
            C_vals[kC] += C_sum[k1];
          }
        }
      }
    }
  }
  return 0;
}
