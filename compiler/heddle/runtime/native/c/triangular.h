#pragma once

#include <stdint.h>
#include <string.h>

/* Rows times the inverse of L Lᵀ, by substitution: lanes are rows, so that a row has the same bits wherever it is. For
   such long and narrow factors LAPACK's dpotrs has half to a quarter of this speed. */
enum { VECTORS = 3, BLOCK = 4, TILE_ROWS = VECTORS * LANE_COUNT, WIDEST = 128 };
/* BLOCK times VECTORS sums, VECTORS operands and one of L are what 16 registers hold. */

static int64_t blocks_of(int64_t rank) { return (rank + BLOCK - 1) / BLOCK; }

static double of_lower(const double* lower, int64_t rank, int64_t row, int64_t column) {
  if (row >= rank || column >= rank) return row == column;
  return lower[column * rank + row];
}

/* L for either way in the order in which it is read: for each block of columns what lies beside it, BLOCK at a time,
   and then the block itself, with the inverse of its diagonal. Columns beyond the rank are those of the identity. lower:
   by columns, what is above its diagonal is not read; laid: BLOCK² values for each two blocks, each with itself too. */
static void lay_out(int64_t rank, const double* lower, double* laid) {
  const int64_t blocks = blocks_of(rank);
  for (int64_t b = 0; b < blocks; b++)
    for (int64_t q = 0; q < (b + 1) * BLOCK; q++)
      for (int64_t r = b * BLOCK; r < (b + 1) * BLOCK; r++)
        *laid++ = q > r ? 0 : q == r ? 1 / of_lower(lower, rank, r, r) : of_lower(lower, rank, r, q);
  for (int64_t b = blocks - 1; b >= 0; b--)
    for (int64_t q = blocks * BLOCK - 1; q >= b * BLOCK; q--)
      for (int64_t r = b * BLOCK; r < (b + 1) * BLOCK; r++)
        *laid++ = q < r ? 0 : q == r ? 1 / of_lower(lower, rank, r, r) : of_lower(lower, rank, q, r);
}

/* One block of a tile, whose columns from ``near`` on, in steps of ``way``, are known: those of this block become so. */
static inline __attribute__((always_inline)) const double* substitute_block(const double* restrict read, Lanes* tile,
                                                                            int64_t near, int64_t known, int64_t way) {
  Lanes sum[BLOCK][VECTORS];
  Lanes* own = tile + (near + way * known) * VECTORS;
  const int64_t low = way > 0 ? 0 : BLOCK - 1; /* The block's first column, counted along the way. */
  own -= low * VECTORS;
#pragma GCC unroll 4
  for (int64_t k = 0; k < BLOCK; k++)
#pragma GCC unroll 4
    for (int64_t v = 0; v < VECTORS; v++) sum[k][v] = own[k * VECTORS + v];
  const Lanes* restrict from = tile + near * VECTORS;
  for (int64_t q = 0; q < known; q++, read += BLOCK, from += way * VECTORS) {
    Lanes column[VECTORS];
#pragma GCC unroll 4
    for (int64_t v = 0; v < VECTORS; v++) {
      column[v] = from[v];
      IN_REGISTER(column[v]);
    }
#pragma GCC unroll 4
    for (int64_t k = 0; k < BLOCK; k++)
#pragma GCC unroll 4
      for (int64_t v = 0; v < VECTORS; v++) sum[k][v] -= read[k] * column[v];
  }
#pragma GCC unroll 4
  for (int64_t step = 0; step < BLOCK; step++, read += BLOCK) {
    const int64_t j = way > 0 ? step : BLOCK - 1 - step;
#pragma GCC unroll 4
    for (int64_t v = 0; v < VECTORS; v++) sum[j][v] *= read[j];
#pragma GCC unroll 4
    for (int64_t k = 0; k < BLOCK; k++)
      if (way > 0 ? k > j : k < j)
#pragma GCC unroll 4
        for (int64_t v = 0; v < VECTORS; v++) sum[k][v] -= read[k] * sum[j][v];
  }
#pragma GCC unroll 4
  for (int64_t k = 0; k < BLOCK; k++)
#pragma GCC unroll 4
    for (int64_t v = 0; v < VECTORS; v++) own[k * VECTORS + v] = sum[k][v];
  return read;
}

/* factor = right (L Lᵀ)⁻¹, rows of both one after the other; laid: of lay_out. */
static void substitute_rows(int64_t rows, int64_t rank, const double* laid, const double* restrict right,
                            double* restrict factor) {
  Lanes tile[WIDEST * VECTORS];
  double* cells = (double*)tile;
  const int64_t blocks = blocks_of(rank), last = blocks * BLOCK - 1;
  memset(tile, 0, (size_t)(blocks * BLOCK * TILE_ROWS) * sizeof *cells);
  for (int64_t first = 0; first < rows; first += TILE_ROWS) {
    const int64_t count = rows - first < TILE_ROWS ? rows - first : TILE_ROWS;
    for (int64_t l = 0; l < count; l++)
      for (int64_t r = 0; r < rank; r++) cells[r * TILE_ROWS + l] = right[(first + l) * rank + r];
    const double* read = laid;
    for (int64_t b = 0; b < blocks; b++) read = substitute_block(read, tile, 0, b * BLOCK, 1);
    for (int64_t b = 0; b < blocks; b++) read = substitute_block(read, tile, last, b * BLOCK, -1);
    for (int64_t l = 0; l < count; l++)
      for (int64_t r = 0; r < rank; r++) factor[(first + l) * rank + r] = cells[r * TILE_ROWS + l];
  }
}
