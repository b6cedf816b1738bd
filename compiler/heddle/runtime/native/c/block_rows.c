#include <stdint.h>
#include <string.h>

/* The column of a row that has no further entry. */
#define NONE INT32_MAX

/* count[b]: the different blocks in row b of blocks. Each part has `words` words, a bit for each column of blocks. */
int32_t count(int64_t rows, int64_t words, const INDEX* restrict pos, const INDEX* restrict crd,
              uint64_t* restrict sets, INDEX* restrict count) {
  const int64_t blocks = (rows + HEIGHT - 1) / HEIGHT;
  #pragma omp parallel for schedule(dynamic, 1)
  for (int64_t part = 0; part < PARTS; part++) {
    uint64_t* const seen = sets + part * words;
    for (int64_t b = blocks * part / PARTS; b < blocks * (part + 1) / PARTS; b++) {
      const INDEX begin = pos[b * HEIGHT], end = pos[(b + 1) * HEIGHT < rows ? (b + 1) * HEIGHT : rows];
      if (end - begin < 2) { /* as in most rows of blocks, where most rows are empty */
        count[b] = end - begin;
        continue;
      }
      INDEX distinct = 0, last = -1;
      for (INDEX p = begin; p < end; p++) {
        const INDEX number = crd[p] / WIDTH;
        if (number == last) continue;
        last = number;
        const uint64_t word = seen[number / 64], bit = (uint64_t)1 << number % 64;
        distinct += !(word & bit);
        seen[number / 64] = word | bit;
      }
      for (INDEX p = begin; p < end; p++) seen[crd[p] / WIDTH / 64] = 0;
      count[b] = distinct;
    }
  }
  return 0;
}

/* Writes the blocks, those of b from block_pos[b] on: their coordinates, ascending, and their values. */
int32_t merge(int64_t rows, const INDEX* restrict pos, const INDEX* restrict crd, const VALUE* restrict vals,
              const INDEX* restrict block_pos, INDEX* restrict block_crd, VALUE* restrict block_vals) {
  const int64_t blocks = (rows + HEIGHT - 1) / HEIGHT;
  #pragma omp parallel for schedule(dynamic, blocks / PARTS < 64 ? blocks / PARTS + 1 : 64)
  for (int64_t b = 0; b < blocks; b++) {
    if (block_pos[b] == block_pos[b + 1]) continue;
    const INDEX begin = pos[b * HEIGHT];
    if (begin + 1 == pos[(b + 1) * HEIGHT < rows ? (b + 1) * HEIGHT : rows]) {
      VALUE* const out = block_vals + (int64_t)block_pos[b] * HEIGHT * WIDTH;
      int64_t r = 0;
      for (int64_t row = b * HEIGHT + 1; row < (b + 1) * HEIGHT && row < rows; row++) r += pos[row] == begin;
      block_crd[block_pos[b]] = crd[begin] / WIDTH;
      memset(out, 0, HEIGHT * WIDTH * sizeof(VALUE));
      out[r * WIDTH + crd[begin] % WIDTH] = vals[begin];
      continue;
    }
    INDEX next[HEIGHT], end[HEIGHT], here[HEIGHT];
    for (int64_t r = 0; r < HEIGHT; r++) {
      const int64_t row = b * HEIGHT + r < rows ? b * HEIGHT + r : rows - 1;
      next[r] = pos[row + (row < b * HEIGHT + r)], end[r] = pos[row + 1];
      here[r] = next[r] < end[r] ? crd[next[r]] : NONE;
    }
    for (INDEX block = block_pos[b]; block < block_pos[b + 1]; block++) {
      INDEX column = NONE;
      for (int64_t r = 0; r < HEIGHT; r++) column = here[r] < column ? here[r] : column;
      const INDEX number = column / WIDTH, start = number * WIDTH;
      VALUE* const out = block_vals + (int64_t)block * HEIGHT * WIDTH;
      block_crd[block] = number;
      memset(out, 0, HEIGHT * WIDTH * sizeof(VALUE));
      for (int64_t r = 0; r < HEIGHT; r++)
        while (here[r] - start < WIDTH && here[r] != NONE) {
          out[r * WIDTH + here[r] - start] = vals[next[r]++];
          here[r] = next[r] < end[r] ? crd[next[r]] : NONE;
        }
    }
  }
  return 0;
}
