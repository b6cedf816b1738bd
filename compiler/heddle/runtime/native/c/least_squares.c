#include <math.h>
#include <stdint.h>
#include <string.h>

#include "threads.h"
#include "lanes.h"
#include "narrow_gram.h"
#include "triangular.h"

/* The dense work of alternating least squares between two kernels. LAPACK's routines are handed over as pointers; they
   must run on one thread. Factors have a row for each index, so that Fortran sees their transposes. What is added up is
   added in SHARES of the rows, one after the other, whichever thread has which: the bits do not depend on threads. */
enum { SHARES = 8, FEW_ROWS = 512, MANY_COLUMNS = 512, NARROW = 128, TOGETHER = 1 << 14, IN_L1 = 1 << 11 };
static const int64_t WORTH_THREADS = 1 << 18;

typedef void Factorise(char* uplo, int* n, double* a, int* lda, int* info);
typedef void Substitute(char* uplo, int* n, int* count, double* a, int* lda, double* b, int* ldb, int* info);
typedef void Multiply(char* uplo, char* trans, int* n, int* k, double* alpha, double* a, int* lda, double* beta,
                      double* c, int* ldc);

static int64_t parts_of(int64_t rows, int64_t rank) { return rows < FEW_ROWS || rank > MANY_COLUMNS ? 1 : SHARES; }

static int on_threads(int64_t parts, int64_t rows, int64_t rank) {
  return parts > 1 && rows * rank * rank > WORTH_THREADS;
}

/* Elementwise, of all Gram matrices but the one that is left out. */
static void multiplied(int64_t order, int64_t left_out, int64_t rank, const double* const* grams, double* system) {
  const int64_t cells = rank * rank, first = left_out == 0 ? 1 : 0;
  memcpy(system, grams[first], (size_t)cells * sizeof *system);
  for (int64_t m = first + 1; m < order; m++) {
    if (m == left_out) continue;
    const double* restrict gram = grams[m];
    for (int64_t c = 0; c < cells; c++) system[c] *= gram[c];
  }
}

/* factor = right times the inverse of the system of this mode: 0. Where the system is not definite 1, where its
   condition, which is estimated, is worse than the worst 2; then the factor is as it was. LAPACK substitutes where the
   rank is large. */
int32_t solve(int64_t order, int64_t mode, int64_t rows, int64_t rank, double ridge, double worst,
              const double* const* grams, const double* restrict right, double* restrict factor, double* system,
              double* lower, double* laid, double* condition, Factorise* factorise, Substitute* substitute) {
  multiplied(order, mode, rank, grams, system);
  for (int64_t r = 0; r < rank; r++) system[r * rank + r] += ridge;
  memcpy(lower, system, (size_t)(rank * rank) * sizeof *lower);
  int n = (int)rank, info = 0;
  char uplo = 'L';
  *condition = INFINITY;
  factorise(&uplo, &n, lower, &n, &info);
  if (info != 0) return 1;
  double largest = lower[0], least = lower[0];
  for (int64_t r = 1; r < rank; r++) {
    const double own = lower[r * rank + r];
    largest = own > largest ? own : largest, least = own < least ? own : least;
  }
  *condition = largest / least * (largest / least);
  if (!(*condition <= worst)) return 2;
  const int64_t parts = parts_of(rows, rank);
  if (rank <= WIDEST) lay_out(rank, lower, laid);
#pragma omp parallel for schedule(static) if (on_threads(parts, rows, rank))
  for (int64_t p = 0; p < parts; p++) {
    const int64_t begin = p * rows / parts, end = (p + 1) * rows / parts;
    if (rank <= WIDEST) {
      substitute_rows(end - begin, rank, laid, right + begin * rank, factor + begin * rank);
      continue;
    }
    memcpy(factor + begin * rank, right + begin * rank, (size_t)((end - begin) * rank) * sizeof *factor);
    int count = (int)(end - begin), size = (int)rank, failed = 0;
    char triangle = 'L';
    substitute(&triangle, &size, &count, lower, &size, factor + begin * rank, &size, &failed);
  }
  return 0;
}

/* The lower triangle of a part's transpose times itself, behind the division of its columns where there are divisors: of
   as many rows at once as stay in the caches for both. */
static void part_of_gram(int64_t begin, int64_t end, int64_t rank, double* factor, const double* restrict divisors,
                         double* own, Multiply* multiply) {
  const int narrow = is_narrow(rank);
  const int64_t step = rank <= NARROW ? (narrow ? IN_L1 : TOGETHER) / rank : end - begin;
  double one = 1, before = 0;
  int size = (int)rank;
  char uplo = 'U', trans = 'N';
  if (narrow) memset(own, 0, (size_t)(rank * rank) * sizeof *own);
  for (int64_t first = begin; first < end; first += step) {
    const int64_t last = first + step < end ? first + step : end;
    if (divisors)
      for (int64_t i = first; i < last; i++)
        for (int64_t r = 0; r < rank; r++) factor[i * rank + r] /= divisors[r];
    if (narrow) {
      add_narrow_gram(last - first, rank, factor + first * rank, own);
      continue;
    }
    int count = (int)(last - first);
    multiply(&uplo, &trans, &size, &count, &one, factor + first * rank, &size, &before, own, &size);
    before = 1;
  }
}

/* The lower triangle of gram: that of all parts, in their order. */
static void added(int64_t parts, int64_t rank, const double* restrict partial, double* restrict gram) {
  for (int64_t r = 0; r < rank; r++) {
    memcpy(gram + r * rank, partial + r * rank, (size_t)(r + 1) * sizeof *gram);
    for (int64_t p = 1; p < parts; p++)
      for (int64_t q = 0; q <= r; q++) gram[r * rank + q] += partial[(p * rank + r) * rank + q];
  }
}

/* Both triangles of the factor's transpose times the factor, divided before where there are divisors; partial: a matrix
   for each part. */
static void gram_of(int64_t rows, int64_t rank, double* factor, const double* divisors, double* made, double* partial,
                    Multiply* multiply) {
  const int64_t parts = parts_of(rows, rank);
#pragma omp parallel for schedule(static) if (on_threads(parts, rows, rank))
  for (int64_t p = 0; p < parts; p++)
    part_of_gram(p * rows / parts, (p + 1) * rows / parts, rank, factor, divisors, partial + p * rank * rank, multiply);
  added(parts, rank, partial, made);
  for (int64_t r = 0; r < rank; r++)
    for (int64_t q = 0; q < r; q++) made[q * rank + r] = made[r * rank + q];
}

int32_t gram(int64_t rows, int64_t rank, double* factor, double* made, double* partial, Multiply* multiply) {
  gram_of(rows, rank, factor, NULL, made, partial, multiply);
  return 0;
}

/* Divides columns by their 2-norms, or by their largest magnitude where that is above 1; these become the weights, and
   made the Gram matrix. How many columns are zero. */
int32_t scale(int64_t norms, int64_t rows, int64_t rank, double* factor, double* restrict weights, double* made,
              double* partial, Multiply* multiply) {
  const int64_t parts = parts_of(rows, rank);
  double* restrict found = partial + parts * rank * rank;
#pragma omp parallel for schedule(static) if (on_threads(parts, rows, rank))
  for (int64_t p = 0; p < parts; p++) {
    double* restrict own = found + p * rank;
    memset(own, 0, (size_t)rank * sizeof *own);
    for (int64_t i = p * rows / parts; i < (p + 1) * rows / parts; i++) {
      const double* restrict row = factor + i * rank;
      if (norms)
        for (int64_t r = 0; r < rank; r++) own[r] += row[r] * row[r];
      else
        for (int64_t r = 0; r < rank; r++) own[r] = fabs(row[r]) > own[r] ? fabs(row[r]) : own[r];
    }
  }
  int32_t zeros = 0, changed = 0;
  for (int64_t r = 0; r < rank; r++) {
    double whole = found[r];
    for (int64_t p = 1; p < parts; p++) {
      const double own = found[p * rank + r];
      whole = norms ? whole + own : own > whole ? own : whole;
    }
    zeros += whole == 0;
    weights[r] = norms ? sqrt(whole) : whole > 1 ? whole : 1;
    found[r] = weights[r] > 0 ? weights[r] : 1;
    changed |= found[r] != 1;
  }
  gram_of(rows, rank, factor, changed ? found : NULL, made, partial, multiply);
  return zeros;
}

/* The model's squared norm, and its inner product with the tensor: of the last product with the last factor. */
int32_t inner(int64_t order, int64_t rows, int64_t rank, const double* const* grams, const double* restrict weights,
              const double* restrict product, const double* restrict factor, double* system, double* partial,
              double* restrict found) {
  const int64_t parts = parts_of(rows, rank);
  multiplied(order, -1, rank, grams, system);
#pragma omp parallel for schedule(static) if (on_threads(parts, rows, rank))
  for (int64_t p = 0; p < parts; p++) {
    double* restrict own = partial + p * rank;
    for (int64_t r = 0; r < rank; r++) own[r] = 0;
    for (int64_t i = p * rows / parts; i < (p + 1) * rows / parts; i++)
      for (int64_t r = 0; r < rank; r++) own[r] += product[i * rank + r] * factor[i * rank + r];
  }
  found[0] = found[1] = 0;
  for (int64_t r = 0; r < rank; r++) {
    double row = 0, along = 0;
    for (int64_t q = 0; q < rank; q++) row += system[r * rank + q] * weights[q];
    for (int64_t p = 0; p < parts; p++) along += partial[p * rank + r];
    found[0] += weights[r] * row, found[1] += weights[r] * along;
  }
  return 0;
}
