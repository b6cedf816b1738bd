// y(i) = A(i,j) * x(j)
// A: csr
// fuse(i, j, f)
// pos(f, fpos, A)
// split(fpos, p0, p1, 8)
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
    int64_t y1_dimension, double* restrict y_vals, int64_t A1_dimension, const int32_t* restrict A2_pos,
    const int32_t* restrict A2_crd, const double* restrict A_vals, const double* restrict x_vals) {
  #pragma omp parallel for schedule(static) if(y1_dimension >= 32768)
  for (int64_t p = 0; p < y1_dimension; p++) {
    y_vals[p] = 0.0;
  }
  #pragma omp parallel for schedule(guided)
  for (int64_t p0 = 0; p0 < ((int64_t)A2_pos[A1_dimension] + 7) / 8; p0++) {
    double y_sum = 0.0;
    bool y_first = true;
    int64_t iA = search_before_int32(A2_pos, 0, A1_dimension, p0 * 8);
    if (p0 * 8 + 7 < A2_pos[A1_dimension]) {
      for (int64_t p1 = 0; p1 < 8; p1++) {
        int64_t fpos = p0 * 8 + p1;
        int64_t j = A2_crd[fpos];
        if (fpos >= A2_pos[iA + 1]) {
          if (y_first) {
            #pragma omp atomic
            y_vals[iA] += y_sum;
          } else {
            y_vals[iA] += y_sum;
          }
          y_sum = 0.0;
          y_first = false;
          while (fpos >= A2_pos[iA + 1]) {
            iA++;
          }
        }
        y_sum += A_vals[fpos] * x_vals[j];
      }
    } else {
      for (int64_t p1 = 0; p1 < 8; p1++) {
        int64_t fpos = p0 * 8 + p1;
        if (fpos >= A2_pos[A1_dimension]) break;
        int64_t j = A2_crd[fpos];
        if (fpos >= A2_pos[iA + 1]) {
          if (y_first) {
            #pragma omp atomic
            y_vals[iA] += y_sum;
          } else {
            y_vals[iA] += y_sum;
          }
          y_sum = 0.0;
          y_first = false;
          while (fpos >= A2_pos[iA + 1]) {
            iA++;
          }
        }
        y_sum += A_vals[fpos] * x_vals[j];
      }
    }
    if (0 < A1_dimension) {
      #pragma omp atomic
      y_vals[iA] += y_sum;
    }
  }
  return 0;
}
