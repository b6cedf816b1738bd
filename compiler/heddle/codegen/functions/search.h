// Searches among ascending coordinates and positions, for C, CUDA and OpenCL.

#if !defined(__OPENCL_VERSION__) && !defined(__CUDACC_RTC__)
#include <stdint.h>
#endif

// @begin before
// The largest p in [lower, upper) with array[p] <= value, lower when there is none.
static inline int64_t SEARCH_BEFORE(const TYPE* array, int64_t lower, int64_t upper, int64_t value) {
  while (upper - lower > 1) {
    int64_t middle = lower + (upper - lower) / 2;
    if (array[middle] <= value) lower = middle;
    else upper = middle;
  }
  return lower;
}
// @end

// @begin at_least
// The smallest p in [lower, upper) with array[p] >= value, upper when there is none.
static inline int64_t SEARCH_AT_LEAST(const TYPE* array, int64_t lower, int64_t upper, int64_t value) {
  while (lower < upper) {
    int64_t middle = lower + (upper - lower) / 2;
    if (array[middle] < value) lower = middle + 1;
    else upper = middle;
  }
  return lower;
}
// @end

// @begin gallop
// The smallest p in [lower, upper) with array[p] >= value, upper when there is none: in doubling steps from lower.
static inline int64_t SEARCH_GALLOP(const TYPE* array, int64_t lower, int64_t upper, int64_t value) {
  int64_t probe = lower;
  for (int64_t step = 1; probe < upper && array[probe] < value; step *= 2) {
    lower = probe + 1;
    probe += step;
  }
  if (probe < upper) upper = probe;
  while (lower < upper) {
    int64_t middle = lower + (upper - lower) / 2;
    if (array[middle] < value) lower = middle + 1;
    else upper = middle;
  }
  return lower;
}
// @end
