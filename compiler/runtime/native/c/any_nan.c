#include <stdint.h>

#include "threads.h"

/* Values are looked at as bits: NaN has all bits of the exponent and one behind it, whatever its sign. */
#define INFINITE (sizeof(VALUE) == 8 ? (VALUE)0x7ff0000000000000 : (VALUE)0x7f800000)
#define UNSIGNED_BITS (~(VALUE)0 >> 1)

/* Values that are looked at before anybody asks what they have shown, and how many are worth another thread. */
enum { BLOCK = 4096, WORTH_THREADS = 1 << 16 };

/* Whether one of the values is NaN. */
int32_t any_nan(int64_t count, const VALUE* restrict values) {
  int32_t some = 0;
  #pragma omp parallel for reduction(| : some) if (count >= WORTH_THREADS)
  for (int64_t first = 0; first < count; first += BLOCK) {
    const int64_t end = count - first < BLOCK ? count : first + BLOCK;
    int32_t here = 0;
    for (int64_t k = first; k < end; k++) here |= (values[k] & UNSIGNED_BITS) > INFINITE;
    some |= here;
  }
  return some;
}
