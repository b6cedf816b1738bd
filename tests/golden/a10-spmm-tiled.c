// C(i,k) = A(i,j) * B(j,k)
// A: csr
// split(i, i0, i1, 16)
// split(j, j0, j1, 4)
// reorder(i0, j0, i1, j1, k)
// parallelize(i0, CPUThread, NoRaces)

#include <stdint.h>

// The smallest p in [lower, upper) with array[p] >= value, upper when there is none.
static inline int64_t search_at_least_int32(const int32_t* array, int64_t lower, int64_t upper, int64_t value) {
  while (lower < upper) {
    int64_t middle = lower + (upper - lower) / 2;
    if (array[middle] < value) lower = middle + 1;
    else upper = middle;
  }
  return lower;
}

static inline int64_t min_int64(int64_t a, int64_t b) { return a < b ? a : b; }

int32_t kernel(
    int64_t C1_dimension, int64_t C2_dimension, double* restrict C_vals, int64_t A1_dimension,
    int64_t A2_dimension, const int32_t* restrict A2_pos, const int32_t* restrict A2_crd,
    const double* restrict A_vals, int64_t B2_dimension, const double* restrict B_vals) {
  #pragma omp parallel for schedule(static) if(C1_dimension * C2_dimension >= 32768)
  for (int64_t p = 0; p < C1_dimension * C2_dimension; p++) {
    C_vals[p] = 0.0;
  }
  #pragma omp parallel for schedule(guided)
  for (int64_t i0 = 0; i0 < (A1_dimension + 15) / 16; i0++) {
    for (int64_t j0 = 0; j0 < (A2_dimension + 3) / 4; j0++) {
      for (int64_t i1 = 0; i1 < 16; i1++) {
        int64_t i = i0 * 16 + i1;
        if (i >= A1_dimension) break;
        int64_t jA_begin = search_at_least_int32(A2_crd, A2_pos[i], A2_pos[i + 1], j0 * 4);
        int64_t jA_end = search_at_least_int32(A2_crd, jA_begin, A2_pos[i + 1], min_int64(j0 * 4 + 4, A2_dimension));
        for (int64_t jA = jA_begin; jA < jA_end; jA++) {
          int64_t j = A2_crd[jA];
          for (int64_t k = 0; k < B2_dimension; k++) {
            int64_t kB = j * B2_dimension + k;
            int64_t kC = i * C2_dimension + k;
            C_vals[kC] += A_vals[jA] * B_vals[kB];
          }
        }
      }
    }
  }
  return 0;
}
