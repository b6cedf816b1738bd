// Prefix sums.
#include <stdbool.h>
#include <stdint.h>

// @begin scan
// Every element becomes the sum of those up to it; false when a sum does not fit.
static inline bool SCAN(TYPE* array, int64_t size) {
  TYPE sum = 0;
  for (int64_t p = 0; p < size; p++) {
    if (__builtin_add_overflow(sum, array[p], &sum)) return false;
    array[p] = sum;
  }
  return true;
}
// @end
