#include <stdint.h>

/* seen[d]: whether diagonal d holds something; d counts from the lower left corner. */
int32_t mark(int64_t rows, const INDEX* restrict pos, const INDEX* restrict crd, uint8_t* restrict seen) {
  for (int64_t row = 0; row < rows; row++)
    for (INDEX p = pos[row]; p < pos[row + 1]; p++) seen[crd[p] + (rows - 1 - row)] = 1;
  return 0;
}

/* Each value to its place: blocks of `height` rows hold `count` diagonals whole, number[d] is that of diagonal d. */
int32_t spread(int64_t rows, int64_t height, int64_t count, const INDEX* restrict pos, const INDEX* restrict crd,
               const VALUE* restrict vals, const int64_t* restrict number, VALUE* restrict out) {
  for (int64_t row = 0; row < rows; row++) {
    VALUE* const block = out + row / height * count * height + row % height;
    for (INDEX p = pos[row]; p < pos[row + 1]; p++) block[number[crd[p] + (rows - 1 - row)] * height] = vals[p];
  }
  return 0;
}
