/* Loops that Heddle's kernels are measured against (hand_loops.py): those that a person writes for AVX2, four doubles at
   a time, and those that the public TACO prints for the schedules A.1 and A.3 of its paper's appendix (docs/sources.toml).
   32-bit indices.
   KIND says for which contender this text is built: its unit of compilation has one function, as a kernel's has. */
#include <stdint.h>
#include <string.h>

#if KIND == 0 || KIND == 1
#include <immintrin.h>
#endif

#if KIND == 0
/* y(i) = A(i,j) * x(j): four lanes gather. */
void loops(int32_t rows, int32_t columns, const int32_t *restrict pos, const int32_t *restrict crd,
           const double *restrict vals, const double *restrict x, double *restrict y) {
  for (int32_t i = 0; i < rows; i++) {
    __m256d sums = _mm256_setzero_pd();
    int32_t p = pos[i];
    const int32_t end = pos[i + 1];
    for (; p + 4 <= end; p += 4) {
      const __m128i j = _mm_loadu_si128((const __m128i *)(crd + p));
      sums = _mm256_fmadd_pd(_mm256_loadu_pd(vals + p), _mm256_i32gather_pd(x, j, 8), sums);
    }
    const __m128d half = _mm_add_pd(_mm256_castpd256_pd128(sums), _mm256_extractf128_pd(sums, 1));
    double sum = _mm_cvtsd_f64(_mm_add_sd(half, _mm_unpackhi_pd(half, half)));
    for (; p < end; p++) sum += vals[p] * x[crd[p]];
    y[i] = sum;
  }
}
#elif KIND == 1
/* C(i,k) = A(i,j) * B(j,k), columns a multiple of 32: eight registers of sums for each tile of 32 columns. */
void loops(int32_t rows, int32_t columns, const int32_t *restrict pos, const int32_t *restrict crd,
           const double *restrict vals, const double *restrict b, double *restrict c) {
  for (int32_t i = 0; i < rows; i++)
    for (int32_t k = 0; k < columns; k += 32) {
      __m256d s0 = _mm256_setzero_pd(), s1 = s0, s2 = s0, s3 = s0, s4 = s0, s5 = s0, s6 = s0, s7 = s0;
      for (int32_t p = pos[i]; p < pos[i + 1]; p++) {
        const __m256d a = _mm256_set1_pd(vals[p]);
        const double *row = b + (int64_t)crd[p] * columns + k;
        s0 = _mm256_fmadd_pd(a, _mm256_loadu_pd(row), s0);
        s1 = _mm256_fmadd_pd(a, _mm256_loadu_pd(row + 4), s1);
        s2 = _mm256_fmadd_pd(a, _mm256_loadu_pd(row + 8), s2);
        s3 = _mm256_fmadd_pd(a, _mm256_loadu_pd(row + 12), s3);
        s4 = _mm256_fmadd_pd(a, _mm256_loadu_pd(row + 16), s4);
        s5 = _mm256_fmadd_pd(a, _mm256_loadu_pd(row + 20), s5);
        s6 = _mm256_fmadd_pd(a, _mm256_loadu_pd(row + 24), s6);
        s7 = _mm256_fmadd_pd(a, _mm256_loadu_pd(row + 28), s7);
      }
      double *out = c + (int64_t)i * columns + k;
      _mm256_storeu_pd(out, s0), _mm256_storeu_pd(out + 4, s1), _mm256_storeu_pd(out + 8, s2);
      _mm256_storeu_pd(out + 12, s3), _mm256_storeu_pd(out + 16, s4), _mm256_storeu_pd(out + 20, s5);
      _mm256_storeu_pd(out + 24, s6), _mm256_storeu_pd(out + 28, s7);
    }
}
#elif KIND == 2
/* A.1: split(i, i0, i1, 16), i0 on threads. */
void loops(int32_t rows, int32_t columns, const int32_t *restrict A2_pos, const int32_t *restrict A2_crd,
           const double *restrict A_vals, const double *restrict x_vals, double *restrict y_vals) {
#pragma omp parallel for schedule(runtime)
  for (int32_t i0 = 0; i0 < (rows + 15) / 16; i0++)
    for (int32_t i1 = 0; i1 < 16; i1++) {
      const int32_t i = i0 * 16 + i1;
      if (i >= rows) continue;
      double tjy_val = 0.0;
      for (int32_t jA = A2_pos[i]; jA < A2_pos[i + 1]; jA++) {
        const int32_t j = A2_crd[jA];
        tjy_val += A_vals[jA] * x_vals[j];
      }
      y_vals[i] = tjy_val;
    }
}
#elif KIND == 3
/* A.3: pos(j, jpos, A), split(jpos, jpos0, jpos1, 8), reorder(i0, i1, jpos0, k, jpos1), k in lanes. */
void loops(int32_t rows, int32_t columns, const int32_t *restrict A2_pos, const int32_t *restrict A2_crd,
           const double *restrict A_vals, const double *restrict B_vals, double *restrict C_vals) {
#pragma omp parallel for schedule(static)
  for (int32_t pC = 0; pC < rows * columns; pC++) C_vals[pC] = 0.0;
#pragma omp parallel for schedule(runtime)
  for (int32_t i0 = 0; i0 < (rows + 15) / 16; i0++)
    for (int32_t i1 = 0; i1 < 16; i1++) {
      const int32_t i = i0 * 16 + i1;
      if (i >= rows) continue;
      for (int32_t jpos0 = A2_pos[i] / 8; jpos0 < (A2_pos[i + 1] + 7) / 8; jpos0++) {
        if (jpos0 * 8 < A2_pos[i] || jpos0 * 8 + 8 > A2_pos[i + 1]) {
          for (int32_t k = 0; k < columns; k++) {
            const int32_t kC = i * columns + k;
            for (int32_t jpos1 = 0; jpos1 < 8; jpos1++) {
              const int32_t jposA = jpos0 * 8 + jpos1;
              if (jposA < A2_pos[i] || jposA >= A2_pos[i + 1]) continue;
              const int32_t j = A2_crd[jposA];
              C_vals[kC] = C_vals[kC] + A_vals[jposA] * B_vals[j * columns + k];
            }
          }
        } else {
#pragma omp simd
          for (int32_t k = 0; k < columns; k++) {
            const int32_t kC = i * columns + k;
            for (int32_t jpos1 = 0; jpos1 < 8; jpos1++) {
              const int32_t jposA = jpos0 * 8 + jpos1;
              const int32_t j = A2_crd[jposA];
              C_vals[kC] = C_vals[kC] + A_vals[jposA] * B_vals[j * columns + k];
            }
          }
        }
      }
    }
}
#else
/* Rows of SpMM on threads, i, j, k. */
void loops(int32_t rows, int32_t columns, const int32_t *restrict A2_pos, const int32_t *restrict A2_crd,
           const double *restrict A_vals, const double *restrict B_vals, double *restrict C_vals) {
#pragma omp parallel for schedule(static)
  for (int32_t pC = 0; pC < rows * columns; pC++) C_vals[pC] = 0.0;
#pragma omp parallel for schedule(runtime)
  for (int32_t i = 0; i < rows; i++)
    for (int32_t jA = A2_pos[i]; jA < A2_pos[i + 1]; jA++) {
      const int32_t j = A2_crd[jA];
      for (int32_t k = 0; k < columns; k++)
        C_vals[i * columns + k] = C_vals[i * columns + k] + A_vals[jA] * B_vals[j * columns + k];
    }
}
#endif
