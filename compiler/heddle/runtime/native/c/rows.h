#pragma once

#include <stdint.h>

/* The row of an entry. */
static int64_t row_of(int64_t rows, const INDEX* pos, int64_t entry) {
  int64_t low = 0, high = rows;
  while (low < high) {
    const int64_t middle = (low + high) / 2;
    if (pos[middle + 1] > entry) high = middle;
    else low = middle + 1;
  }
  return low;
}

/* Each count becomes the sum of those before it: where its first entry goes. */
static void first_places(int64_t count, INDEX* restrict counts) {
  INDEX sum = 0;
  for (int64_t k = 0; k < count; k++) {
    const INDEX here = counts[k];
    counts[k] = sum;
    sum += here;
  }
}
