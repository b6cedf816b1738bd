#include <stdint.h>

#include "threads.h"

/* Values are looked at as bits: NaN has all bits of the exponent and one behind it, whatever its sign. */
typedef __typeof__(_Generic((VALUE)0, uint32_t: (uint32_t)0, default: (uint64_t)0)) BITS;
#define INFINITE (sizeof(BITS) == 8 ? (BITS)0x7ff0000000000000 : (BITS)0x7f800000)
#define WITHOUT_SIGN ((BITS)(~(BITS)0 >> 1))

/* Values that are looked at before anybody asks what they have shown, and how many are worth another thread. */
enum { BLOCK = 4096, WORTH_THREADS = 1 << 16 };

/* Whether one of the values is NaN. */
int32_t any_nan(int64_t count, int64_t on_threads, const BITS* restrict values) {
  int32_t some = 0;
  #pragma omp parallel for reduction(| : some) if (on_threads && count >= WORTH_THREADS)
  for (int64_t first = 0; first < count; first += BLOCK) {
    const int64_t end = count - first < BLOCK ? count : first + BLOCK;
    int32_t here = 0;
    for (int64_t k = first; k < end; k++) here |= (values[k] & WITHOUT_SIGN) > INFINITE;
    some |= here;
  }
  return some;
}
