#include <stdint.h>

/* Indices that are compared before anybody asks what they have shown, and how many are worth another thread. */
enum { BLOCK = 4096, WORTH_THREADS = 1 << 16 };

/* Whether `narrow` has the very indices of `wide`. */
int32_t same_indices(int64_t count, const int64_t* restrict wide, const int32_t* restrict narrow) {
  int32_t some = 0;
  #pragma omp parallel for reduction(| : some) if (count >= WORTH_THREADS)
  for (int64_t first = 0; first < count; first += BLOCK) {
    const int64_t end = count - first < BLOCK ? count : first + BLOCK;
    int64_t differ = 0;
    for (int64_t k = first; k < end; k++) differ |= wide[k] ^ narrow[k];
    some |= differ != 0;
  }
  return !some;
}
