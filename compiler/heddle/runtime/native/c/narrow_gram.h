#pragma once

#include <stdint.h>

/* The transpose of a long and narrow factor times itself, without packing it first: BLAS's dsyrk has a quarter to two
   thirds of this speed. Each sum is added up along the rows, whatever the width of vectors. */
enum { ACROSS = 8, BESIDE = ACROSS / LANE_COUNT, DOWN = LANE_COUNT, WIDEST_GRAM = 64 };
/* DOWN times BESIDE sums hide how long an addition takes, and fit the registers: eight of them in any width. */

static int is_narrow(int64_t rank) { return rank % ACROSS == 0 && rank <= WIDEST_GRAM; }

/* Adds that of these rows to own, whose lower triangle is then right. */
static void add_narrow_gram(int64_t rows, int64_t rank, const double* restrict factor, double* restrict own) {
  for (int64_t across = 0; across < rank; across += ACROSS)
    for (int64_t down = across; down < rank; down += DOWN) {
      double* restrict cells = own + down * rank + across;
      Lanes sum[DOWN][BESIDE];
#pragma GCC unroll 8
      for (int64_t d = 0; d < DOWN; d++)
#pragma GCC unroll 8
        for (int64_t b = 0; b < BESIDE; b++) sum[d][b] = *(LanesAnywhere*)(cells + d * rank + b * LANE_COUNT);
      const double* restrict row = factor;
      for (int64_t i = 0; i < rows; i++, row += rank) {
        Lanes beside[BESIDE];
#pragma GCC unroll 8
        for (int64_t b = 0; b < BESIDE; b++) {
          beside[b] = *(const LanesAnywhere*)(row + across + b * LANE_COUNT);
          IN_REGISTER(beside[b]);
        }
#pragma GCC unroll 8
        for (int64_t d = 0; d < DOWN; d++)
#pragma GCC unroll 8
          for (int64_t b = 0; b < BESIDE; b++) sum[d][b] += row[down + d] * beside[b];
      }
#pragma GCC unroll 8
      for (int64_t d = 0; d < DOWN; d++)
#pragma GCC unroll 8
        for (int64_t b = 0; b < BESIDE; b++) *(LanesAnywhere*)(cells + d * rank + b * LANE_COUNT) = sum[d][b];
    }
}
