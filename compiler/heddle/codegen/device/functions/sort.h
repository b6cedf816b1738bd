// Sorts for CUDA and OpenCL.

// @begin sort
// Sorts array[lower : upper) ascending, by ever smaller steps (Shell 1959).
static inline void SORT(ARRAY* array, int64_t lower, int64_t upper) {
  int64_t step = 1;
  while (step < (upper - lower) / 3) step = 3 * step + 1;
  for (; step > 0; step /= 3) {
    for (int64_t p = lower + step; p < upper; p++) {
      ELEMENT value = array[p];
      int64_t q = p;
      for (; q >= lower + step && array[q - step] > value; q -= step) array[q] = array[q - step];
      array[q] = value;
    }
  }
}
// @end
