// y(i) = A(i,j) * x(j)
// A: csc
// parallelize(j, CPUThread, Temporary)

#include <stdint.h>
#include <stdlib.h>

static inline void* allocate_zero(int64_t count, size_t size) {
  if (count < 0) return NULL;
  return calloc(count > 0 ? (size_t)count : 1, size);
}

int32_t kernel(
    int64_t y1_dimension, double* restrict y_vals, int64_t A1_dimension, const int32_t* restrict A2_pos,
    const int32_t* restrict A2_crd, const double* restrict A_vals, const double* restrict x_vals) {
  if (8 * y1_dimension > 134217728) return 1;  // the 8 copies of y that command 1 needs for its race strategy would have more than 134217728 elements. Use Atomics, or parallelize another loop.
  double* restrict y_copies = allocate_zero(8 * y1_dimension, sizeof(double));
  if (!y_copies) return -1;
  #pragma omp parallel for schedule(static)
  for (int64_t j_part = 0; j_part < 8; j_part++) {
    for (int64_t j_in = 0; j_in < (A1_dimension + 7) / 8; j_in++) {
      int64_t j = j_part * ((A1_dimension + 7) / 8) + j_in;
      if (j >= A1_dimension) break;
      for (int64_t iA = A2_pos[j]; iA < A2_pos[j + 1]; iA++) {
        int64_t i = A2_crd[iA];
        y_copies[j_part * y1_dimension + i] += A_vals[iA] * x_vals[j];
      }
    }
  }
  #pragma omp parallel for schedule(guided)
  for (int64_t element = 0; element < y1_dimension; element++) {
    double y_sum = 0.0;
    for (int64_t j_part2 = 0; j_part2 < 8; j_part2++) {
      y_sum += y_copies[j_part2 * y1_dimension + element];
    }
    y_vals[element] = y_sum;
  }
  free(y_copies);
  return 0;
}
